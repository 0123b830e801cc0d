import { ANY_BYTES } from "../../site-rules/rule.ts";
import { expandRegex, LONGEST, splitAlternatives } from "./expand-regex.ts";
import {
  EVERYWHERE,
  hasCase,
  inAnyCase,
  isPathStart,
  nameText,
  type Place,
  siteOf,
  WITH_CASE,
} from "./list-draft.ts";

/** Matches the scheme that a pattern begins with. */
const START = /^\^?https\?:(?:\\\/|\/){2}/;
/** Matches a dot that stands for any byte, and means a dot. */
const DOT = /(?<!\\)\.(?![*+?{])/g;
/** Stands for any hosts below. */
const BELOW = /^\(\?:\[a-z0-9-\]\+\\\.\)\*\??/;
/** Matches the text that a pattern of paths begins with, but not a byte that may be missing. */
const LITERAL = /^(?:(?:\\[/.-]|[A-Za-z0-9_/-])(?![?*+{]))+/;
/** Matches what a host ends in if any ending is meant. */
const ANY_ENDING = /\(\?:\\\.\[a-z\]\{2,\}\)\{1,\}/;
/** Matches any segment of a path, or any labels of a host, and stands for it. */
const ANY_SEGMENT = /\[\^\/\][+*]/g;
const ANY = "#";
/** Matches a host, and after it the query or any text but a host's. */
const HOST = /^((?:\\[.-]|[A-Za-z0-9-]|\(\?:[^()[\]*+?]*\))+(?<![.-]))(?=\[\^(?!\/)|\.\*|\\\?|$)/;
/** Matches a host of texts, groups of texts and labels that may be any. */
const ANY_HOST = /^(?:[\w.\\#-]|\((?:\?:)?[\w|-]*\)\??)+$/;
/** Matches the beginning of a path of texts and segments that may be any. */
const PATH = /^(?:\\?\/(?:#(?=\\?\/)|(?:\\[.-]|[A-Za-z0-9_-](?![?*+{]))*))+/;
/** Matches the end of a pattern that asks for a parameter. */
const PARAM = /\\\?\.\*\??&\?((?:[\w-]\??)+)=(?:\.|\[\^[^\]]*\]\*)$/;

/** Lists the top levels of countries and of the European Union. */
const COUNTRIES =
  "ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs " +
  "bt bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee " +
  "eg er es et eu fi fj fk fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk " +
  "hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la " +
  "lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my " +
  "mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro " +
  "rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk " +
  "tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw";
/** Lists those below which companies have names under `com`, and those with `co`. */
const WITH_COM =
  "af ag ai ar au bd bh bn bo br by bz cn co cu cy do ec eg et fj gh gi gt hk jm kh kw lb ly mm " +
  "mt mx my na nf ng ni np om pa pe pg ph pk pr ps py qa sa sb sg sl sv tj tr tw ua uy vc vn";
const WITH_CO = "ao bw ck cr id il in jp ke kr ls ma mz nz th tz ug uk uz ve vi za zm zw";

/** Lists the ends of hosts that stand for any ending, in a language that has no such site. */
const ENDINGS: readonly string[] = [
  ..."com net org info biz app dev".split(" "),
  ...COUNTRIES.split(" "),
  ...WITH_COM.split(" ").map((end) => `com.${end}`),
  ...WITH_CO.split(" ").map((end) => `co.${end}`),
];
/** Says which URLs of an exception for hosts of any ending a rule leaves alone. */
const SOME_ENDINGS = `it is taken for ${ENDINGS.length} endings of hosts: no rule can say any ending`;

/** Returns the places of URLs that a pattern matches, or fewer; null if no rule can say that. */
export function placesOf(pattern: string): Place[] | null {
  if (pattern === ".*") return [EVERYWHERE];
  if (pattern.length > LONGEST || !START.test(pattern)) return null;
  const rest = pattern.replace(START, "");
  const isDomain = BELOW.test(rest);
  const texts = expandRegex(rest.replace(BELOW, "").replace(DOT, "\\."));
  const places = texts?.map((text) => placeOf(text, isDomain)) ?? [null];
  return places.every((place) => place !== null) ? places : null;
}

function placeOf(text: string, isDomain: boolean): Place | null {
  const slash = text.indexOf("/");
  const host = slash < 0 ? text : text.slice(0, slash);
  let path = slash < 0 ? "/" : text.slice(slash);
  while (path.endsWith(ANY_BYTES)) path = path.slice(0, -ANY_BYTES.length);
  const site = host.includes(".") ? siteOf(host, isDomain) : null;
  if (site === null || /[?#<>*\\]/.test(path)) return null;
  return { site, path: path === "/" ? "*" : `${path}...` };
}

/** What a rule leaves alone for an exception. */
interface Exception {
  readonly places: readonly Place[];
  /** Says why it may have more URLs than the places. */
  readonly more?: string;
}

/** Returns places that have all URLs of an exception but those of `more`, and perhaps others; null if no rule can say that. */
export function exceptionOf(whole: string): Exception | null {
  // An exception for more URLs than it asks for removes nothing that the list keeps.
  const pattern = whole.replace(/\$$/, "");
  // Rules are for http and https alone.
  if (/^\^wss?\?:/.test(pattern)) return { places: [] };
  if (splitAlternatives(pattern)?.length !== 1) return null;
  const own = placesOf(pattern) ?? ofPathStart(pattern) ?? ofHost(pattern) ?? ofAnyHost(pattern);
  if (own === null) return ofEndings(pattern);
  // ClearURLs compares without case.
  const places = own.map(inAnyCase);
  return places.some(hasCase) ? { places, more: WITH_CASE } : { places };
}

/** Returns the places of all paths that begin as a pattern does. */
function ofPathStart(pattern: string): Place[] | null {
  const start = START.exec(pattern)?.[0].length ?? 0;
  const slash = pattern.slice(start).search(/\\\/|\//);
  if (slash < 0 || start === 0) return null;
  const [text = ""] = LITERAL.exec(pattern.slice(start + slash)) ?? [];
  return placesOf(pattern.slice(0, start + slash) + text);
}

/** Returns the places of the hosts that a pattern begins with. */
function ofHost(pattern: string): Place[] | null {
  const [scheme = ""] = START.exec(pattern) ?? [];
  const [below = ""] = BELOW.exec(pattern.slice(scheme.length)) ?? [];
  const [, host] = HOST.exec(pattern.slice(scheme.length + below.length)) ?? [];
  return scheme === "" || host === undefined ? null : placesOf(scheme + below + host);
}

/** Returns the path of a pattern on any host, or else any URL with one of the parameters that it asks for. */
function ofAnyHost(pattern: string): Place[] | null {
  if (!START.test(pattern) || pattern.includes(ANY)) return null;
  const rest = pattern
    .replace(START, "")
    .replace(BELOW, "")
    .replace(ANY_ENDING, ANY)
    .replace(ANY_SEGMENT, ANY);
  const slash = rest.search(/\\?\//);
  if (slash < 0 || !ANY_HOST.test(rest.slice(0, slash))) return null;
  const [found = ""] = PATH.exec(rest.slice(slash)) ?? [];
  const path = found.replaceAll("\\", "").replaceAll(ANY, "*");
  if (/\w/.test(path)) return isPathStart(path, /\*/) ? [{ site: "*", path: `${path}...` }] : null;
  const [, param = ""] = PARAM.exec(rest) ?? [];
  const names = param === "" ? null : expandRegex(param);
  return names?.map((name) => ({ site: "*", path: `* ?${nameText(name)}` })) ?? null;
}

/** Returns hosts of any ending under those that are common. */
function ofEndings(pattern: string): Exception | null {
  const rest = pattern.replace(START, "");
  const isDomain = BELOW.test(rest);
  const [text = "", after] = rest.replace(BELOW, "").split(ANY_ENDING);
  const names = expandRegex(text.replace(DOT, "\\."));
  if (rest === pattern || after === undefined || names === null) return null;
  const sites = names.flatMap((name) => ENDINGS.map((end) => siteOf(`${name}.${end}`, isDomain)));
  if (sites.includes(null)) return null;
  return {
    places: sites.map((site) => ({ site: site as string, path: "*" })),
    more: SOME_ENDINGS,
  };
}
