// Made-up sites of any size, each of one shape, as lines of url and fp: for measuring time and memory.

/** A generator of 32-bit numbers, the same on every machine (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const hex = (random, digits) =>
  Array.from({ length: digits }, () => random(16).toString(16)).join("");
const word = (number) => `w${((number * 7919) % 100_003).toString(36)}`;

/** Each yields target and class of the URLs of a site of about `count`. */
const SHAPES = {
  /** Topics with pages, sessions, orders, links to posts and to a login. */
  *forum(count, random) {
    for (let topic = 1, made = 0; made < count; topic++) {
      const pages = 1 + random(4);
      for (let page = 0; page < pages; page++) {
        const own = `/viewtopic.php?t=${topic}${page > 0 ? `&start=${15 * page}` : ""}`;
        const name = `t${topic}p${page}`;
        yield [own, name];
        yield [`${own}&sid=${hex(random, 32)}`, name];
        if (random(2) === 0) yield [`${own}&postdays=0&postorder=asc&highlight=`, name];
        if (page === 0) yield [`/viewtopic.php?t=${topic}&start=0`, name];
        yield [`/viewtopic.php?p=${topic * 20 + page}`, name];
        made += 5;
      }
      yield [`/posting.php?mode=reply&t=${topic}`, "login"];
      yield [`/privmsg.php?mode=post&u=${topic}`, "login"];
      yield [`/profile.php?mode=viewprofile&u=${topic}`, `u${topic}`];
    }
  },
  /** Articles in two spellings, with histories, differences and printable copies. */
  *wiki(count, random) {
    for (let article = 1, made = 0; made < count; article++, made += 8) {
      const title = `${word(article)}_${word(article * 31)}_${article}`;
      yield [`/wiki/${title}`, `a${article}`];
      yield [`/index.php/${title}`, `a${article}`];
      yield [`/index.php?title=${title}`, `a${article}`];
      yield [`/index.php?title=${title}&printable=yes`, `a${article}`];
      yield [`/index.php?title=${title}&action=history`, `h${article}`];
      yield [`/index.php?title=${title}&action=edit`, "denied"];
      for (let old = 0; old < 3; old++) {
        const id = article * 10 + old;
        yield [`/index.php?title=${title}&oldid=${id}`, `o${id}`];
        if (random(2) === 0)
          yield [`/index.php?title=${title}&diff=${id}&oldid=${id - 1}`, `d${id}`];
      }
    }
  },
  /** Items under references and categories, and lists with filters in any order. */
  *shop(count, random) {
    for (let item = 1, made = 0; made < count; item++, made += 7) {
      yield [`/item/${item}/${word(item)}-${word(item * 17)}.html`, `i${item}`];
      yield [
        `/item/${item}/${word(item)}-${word(item * 17)}.html?ref=nav_${random(50)}`,
        `i${item}`,
      ];
      yield [`/c${random(300)}/item/${item}`, `i${item}`];
      yield [`/item/${item}/print`, `i${item}`];
      const category = `/list/${word(item % 997)}`;
      const filters = [`color=${random(12)}`, `size=${random(9)}`, `page=${item}`];
      yield [`${category}?${filters.join("&")}`, `l${filters.join()}${item % 997}`];
      yield [`${category}?${filters.toReversed().join("&")}`, `l${filters.join()}${item % 997}`];
      yield [`/cart/add?item=${item}&token=${hex(random, 16)}`, "cart"];
    }
  },
  /** A calendar without an end, sessions in paths, and one error page for all else. */
  *trap(count, random) {
    for (let day = 0, made = 0; made < count; day++, made += 5) {
      const [year, month, date] = [
        1900 + Math.floor(day / 372),
        1 + (Math.floor(day / 31) % 12),
        1 + (day % 31),
      ];
      const name = day % 50 === 0 ? `day${day}` : "empty";
      yield [`/cal/${year}/${month}/${date}`, name];
      yield [`/cal.php?y=${year}&m=${month}&d=${date}&view=day`, name];
      yield [`/s/${hex(random, 16)}/cal/${year}/${month}/${date}`, name];
      yield [`/${"a/".repeat(1 + random(6))}b${day}/c${random(1000)}`, "gone"];
      yield [`/n/${day}/${day % 7}/${day % 11}/${day % 13}`, `n${day}`];
    }
  },
  /** Documents of a library: each class in each version, most pages as in the version before. */
  *docs(count, random) {
    const versions = Array.from({ length: 24 }, (_, at) => `2.${at >> 1}${at % 2 ? ".1" : ""}`);
    for (let item = 0, made = 0; made < count; item++) {
      const path = `${word(item % 53)}/${word(item % 211)}`;
      const name = `C${word(item * 13)}`;
      let changes = 0;
      for (const version of versions) {
        if (random(10) < 3) changes++;
        const folder = `/lib/lib-${version}/${word(item % 7)}/apidocs/org/lib`;
        yield [`${folder}/${path}/${name}.html`, `c${item}v${changes}`];
        yield [`${folder}/${path}/class-use/${name}.html`, `u${item}v${changes}`];
        if (random(3) === 0) yield [`${folder}/../xref/${path}/${name}.html`, `x${item}${version}`];
        if (random(4) === 0)
          yield [`${folder}/index.html?org/lib/${path}/${name}.html`, `frame ${version}`];
        made += 3;
      }
    }
  },
};

/** The names of the shapes. */
export const SHAPE_NAMES = Object.keys(SHAPES);

/**
 * Yields `count` lines of a site of a shape, url and fp with a TAB between. Of `changed` in 1,000 URLs the page
 * changed before it was fetched.
 */
export function* linesOf(shape, count, changed, host = `${shape}.example`) {
  const random = randomOf(count + 1);
  let made = 0;
  for (const [target, name] of SHAPES[shape](count, randomOf(count))) {
    if (made++ === count) return;
    const page = random(1000) < changed ? `changed${made}` : name;
    yield `http://${host}${target}\tcls:${page}\t\n`;
  }
}
