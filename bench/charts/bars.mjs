// Draws bars as an SVG that is readable on light and on dark pages.
const BAR = 22;
const GAP = 8;
const LEFT = 200;
const WIDTH = 720;
const TOP = 40;
const ROOM_FOR_TEXT = 130;

const escapeXml = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Returns a chart with a bar for each row, in the order given. A row is `{ name, value, text }`; the text is
 * after its bar. Rows whose name begins with "urlmill" are in colour.
 */
export function drawBars(rows, title) {
  const longest = Math.max(...rows.map(({ value }) => value));
  const bars = rows.map(({ name, value, text }, index) => {
    const y = TOP + index * (BAR + GAP);
    const width = Math.max(2, ((WIDTH - LEFT - ROOM_FOR_TEXT) * value) / longest);
    const isOurs = name.startsWith("urlmill");
    const baseline = y + BAR / 2 + 5;
    return [
      `<text x="${LEFT - 10}" y="${baseline}" text-anchor="end"${isOurs ? ' font-weight="bold"' : ""}>${escapeXml(name)}</text>`,
      `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="3" fill="${isOurs ? "#2563eb" : "#94a3b8"}"/>`,
      `<text x="${(LEFT + width + 8).toFixed(1)}" y="${baseline}">${escapeXml(text)}</text>`,
    ].join("\n");
  });
  const height = TOP + rows.length * (BAR + GAP) + GAP;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>text { font: 14px system-ui, sans-serif; fill: #334155 } @media (prefers-color-scheme: dark) { text { fill: #cbd5e1 } }</style>
<text x="10" y="22" font-weight="bold">${escapeXml(title)}</text>
${bars.join("\n")}
</svg>
`;
}
