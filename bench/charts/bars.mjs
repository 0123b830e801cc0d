// Draws bars as an SVG that is readable on light and on dark pages, and on narrow ones.
const BAR = 16;
const GAP = 10;
const LEFT = 160;
const WIDTH = 480;
const TOP = 40;
const ROOM_FOR_TEXT = 80;

/** The colours of reports and of the site: urlmill, others, text. */
const STYLE = `text { font-family: system-ui, sans-serif; font-size: 14px; fill: #1c2430 } .ours { fill: #2f7dd1 } .other { fill: #98a3b3 } .second { opacity: 0.5 }
@media (prefers-color-scheme: dark) { text { fill: #e6eaf0 } .ours { fill: #5aa2ee } .other { fill: #76818f } }`;

const escapeXml = (text) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Returns a chart of rows, in the order given. A row is `{ name, bars }`, and a bar `{ value, text }`; the text is after its bar.
 * The first bars of all rows have one scale, and the second bars another. Rows whose name begins with "urlmill" are in colour.
 */
export function drawBars(rows, title) {
  const longest = rows[0].bars.map((_, at) => Math.max(...rows.map(({ bars }) => bars[at].value)));
  const step = longest.length * BAR + GAP;
  const drawn = rows.map(({ name, bars }, row) => {
    const top = TOP + row * step;
    const isOurs = name.startsWith("urlmill");
    return [
      `<text x="${LEFT - 10}" y="${top + (step - GAP) / 2 + 5}" text-anchor="end"${isOurs ? ' font-weight="bold"' : ""}>${escapeXml(name)}</text>`,
      ...bars.flatMap(({ value, text }, at) => {
        const y = top + at * BAR;
        const width = Math.max(2, ((WIDTH - LEFT - ROOM_FOR_TEXT) * value) / longest[at]);
        const kind = `${isOurs ? "ours" : "other"}${at > 0 ? " second" : ""}`;
        return [
          `<rect class="${kind}" x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 2}" rx="2"/>`,
          `<text x="${(LEFT + width + 6).toFixed(1)}" y="${y + BAR / 2 + 4}">${escapeXml(text)}</text>`,
        ];
      }),
    ].join("\n");
  });
  const height = TOP + rows.length * step;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>${STYLE}</style>
<text x="0" y="20" font-weight="bold">${escapeXml(title)}</text>
${drawn.join("\n")}
</svg>
`;
}
