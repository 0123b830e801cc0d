/**
 * Lists the second labels below which a registry registers names of others, by top level: those that its documents name.
 * A host `www504.com.cn` is such a name, and no server of `com.cn`. The list is short: a domain that is missing is taken
 * for a site.
 */
const SECOND_LEVELS: Readonly<Record<string, string>> = {
  // NIC Argentina, Zonas
  ar: "bet com coop edu gob gov int mil musica mutual net org senasa tur",
  // nic.at, Second-level domains
  at: "ac co gv or",
  // auDA, .au Domain Administration Rules: Licensing
  au: "asn com edu gov id net org",
  // Registro.br, Categorias de domínios
  br: "adm adv agr art blog com coop eco edu emp eng esp gov ind inf jus leg med mil mp net org tec tur tv wiki",
  // MIIT of China, 中国互联网络域名体系 of 2018
  cn: "ac ah bj com cq edu fj gd gov gs gx gz ha hb he hi hk hl hn jl js jx ln mil mo net nm nx org qh sc sd sh sn sx tj tw xj xz yn zj",
  // .CO Internet, Policies
  co: "com edu gov mil net nom org",
  // Red.es, Plan Nacional de Dominios
  es: "com edu gob nom org",
  // Afnic, Naming Charter: public domain names
  fr: "asso com gouv nom prd tm",
  // EETT, Regulation of .gr names
  gr: "com edu gov net org",
  // HKIRC, Domain Categories
  hk: "com edu gov idv net org",
  // PANDI, Kebijakan Umum Nama Domain
  id: "ac biz co desa go mil my net or ponpes sch web",
  // ISOC-IL, Rules for the Allocation of Domain Names
  il: "ac co gov idf k12 muni net org",
  // NIXI, .IN Domain Name Registration Policies
  in: "ac co edu firm gen gov ind mil net nic org res",
  // JPRS, Types of JP domain names
  jp: "ac ad co ed go gr lg ne or",
  // KISA, Domain Name Management Rules
  kr: "ac co es go hs kg mil ms ne or pe re sc",
  // NIC México, Políticas generales
  mx: "com edu gob net org",
  // MYNIC, Domain categories
  my: "com edu gov mil name net org",
  // InternetNZ, .nz Rules: second-level domains
  nz: "ac co cri geek gen govt health iwi kiwi maori mil net org parliament school",
  // NASK, functional domains
  pl: "com edu gov info mil net org",
  // .PT, Registration Rules
  pt: "com edu gov int net nome org publ",
  // SaudiNIC, Regulation
  sa: "com edu gov med net org pub sch",
  // SGNIC, Registration Policies
  sg: "com edu gov net org per",
  // THNIC, Domain Name Policy
  th: "ac co go in mi net or",
  // BTK of Türkiye, Regulation of Internet Domain Names
  tr: "av bbs bel com dr edu gen gov info k12 kep mil name net org pol tel tsk tv web",
  // TWNIC, Guidelines for Administration of Domain Name Registration
  tw: "club com ebiz edu game gov idv mil net org",
  // Hostmaster, .UA Domain Policy
  ua: "com edu gov in net org",
  // Nominet, Rules of Registration; Jisc and the government for the others
  uk: "ac co gov ltd me net nhs org plc police sch",
  // VNNIC, Circular on Internet resources
  vn: "ac biz com edu gov health info int name net org pro",
  // ZADNA, second level domains
  za: "ac co edu gov law mil net nom org school web",
};

/** Writes the list for the kernel: for each top level a dot, its name and its second labels, with a space after each. */
export function secondLevelsText(): string {
  return Object.entries(SECOND_LEVELS)
    .map(([topLevel, names]) => `.${topLevel} ${names} `)
    .join("");
}

/** Lists the domains, such as `com.cn`. */
export const SECOND_LEVEL_DOMAINS: ReadonlySet<string> = new Set(
  Object.entries(SECOND_LEVELS).flatMap(([topLevel, names]) =>
    names.split(" ").map((name) => `${name}.${topLevel}`),
  ),
);
