// Draws bars as an SVG that reads on light and on dark pages.
const BAR = 22;
const GAP = 8;
const LEFT = 190;
const WIDTH = 720;
const TOP = 40;

const escapeXml = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Returns a chart of rows with a name and seconds, the shortest bar first. */
export function draw(rows, title) {
  const sorted = rows.toSorted((a, b) => a.seconds - b.seconds);
  const longest = sorted.at(-1).seconds;
  const bars = sorted.map(({ name, seconds, peak }, index) => {
    const y = TOP + index * (BAR + GAP);
    const width = Math.max(2, ((WIDTH - LEFT - 130) * seconds) / longest);
    const isOurs = name.startsWith("urlmill");
    const text = y + BAR / 2 + 5;
    return [
      `<text x="${LEFT - 10}" y="${text}" text-anchor="end"${isOurs ? ' font-weight="bold"' : ""}>${escapeXml(name)}</text>`,
      `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="3" fill="${isOurs ? "#2563eb" : "#94a3b8"}"/>`,
      `<text x="${(LEFT + width + 8).toFixed(1)}" y="${text}">${seconds.toFixed(2)} s, ${peak.toFixed(0)} MB</text>`,
    ].join("\n");
  });
  const height = TOP + sorted.length * (BAR + GAP) + GAP;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>text { font: 14px system-ui, sans-serif; fill: #334155 } @media (prefers-color-scheme: dark) { text { fill: #cbd5e1 } }</style>
<text x="${LEFT}" y="22" font-weight="bold">${escapeXml(title)}</text>
${bars.join("\n")}
</svg>
`;
}
