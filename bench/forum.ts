/** The site of a board, as a crawl sees it: most links carry parameters that change nothing. */
const SITE = "forum.example.org";
const HEADER = "#urlmill-rules 1\n";

const SCRIPTS = [
  "viewtopic",
  "viewforum",
  "profile",
  "posting",
  "search",
  "memberlist",
  "faq",
  "index",
];
const NAMES = [
  "postdays",
  "postorder",
  "highlight",
  "view",
  "watch",
  "mode",
  "sk",
  "sd",
  "style",
  "print",
];

/** Returns a random number generator (Lehmer), so that each run sees the same URLs. */
function lehmer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

export function forumUrls(count: number): string[] {
  const random = lehmer(42);
  return Array.from({ length: count }, () => {
    const script = SCRIPTS[random(3) === 0 ? random(SCRIPTS.length) : random(2)];
    const params = [`${script === "viewforum" ? "f" : "t"}=${random(100_000)}`];
    if (random(2) === 0) params.push(`start=${15 * random(4)}`);
    if (random(3) === 0) params.push("postdays=0&postorder=asc&highlight=");
    if (random(4) === 0) params.push(`${NAMES[random(NAMES.length)]}=${random(3)}`);
    if (random(5) === 0) params.push(`sid=${"0123456789abcdef".repeat(2).slice(random(8))}`);
    const host = random(20) === 0 ? `www.${SITE}` : SITE;
    const folder = random(10) === 0 ? "/phpBB2" : "";
    return `http://${host}${folder}/${script}.php?${params.join("&")}${random(9) === 0 ? `#p${random(999)}` : ""}`;
  });
}

/** Several dozen rules, such as learning finds for this site. */
export const FORUM_RULES = rulesFor(SITE, [
  "/viewtopic.php ?start=0\tdrop postdays,postorder,highlight,start",
  "/viewtopic.php\tdrop postdays,postorder,highlight,view,watch,sk,sd",
  "/viewforum.php ?start=0\tdrop start",
  "/viewforum.php\tdrop postdays,postorder,mark,topicdays",
  "*\tdropif start=0",
  "*\tdrop sid",
  "*\tsub ;jsessionid=<H> =>",
  "/phpBB2/...\tpath /phpBB2/... => /<1>",
  "/index.php ?!c\tsink /",
  "/search.php ?mode\tdrop mode",
  ...SCRIPTS.flatMap((script) => [
    `/${script}.php ?print=1\tdrop print`,
    `/${script}.php ?style\tdrop style`,
    `/archive/${script}-<N>.html\tpath /archive/${script}-<N>.html => /${script}-<1>`,
  ]),
  "/posting.php ?mode=quote&!t\tsink /posting.php",
  "/profile.php ?mode=viewprofile\tdropif u=0",
]);

/** Returns the text of rules for a site, and the same rules under `www.`. */
function rulesFor(site: string, rules: readonly string[]): string {
  const lines = rules.map((rule) => `${site}\t${rule}\n`);
  return `${HEADER}${lines.join("")}www.${site}\t*\thost www.${site} => ${site}\n`;
}

/** Rules for 10,000 sites that no list names. */
export const OTHER_RULES = Array.from(
  { length: 10_000 },
  (_, at) => `${at === 0 ? HEADER : ""}www.other-${at}.example\t*\tdrop a,b,c\n`,
).join("");
