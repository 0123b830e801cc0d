/** Holds the names below which a registry registers, and the document of the registry that lists them. */
interface SecondLevels {
  readonly topLevel: string;
  /** Holds the second labels, with a space between. */
  readonly names: string;
  readonly evidence: string;
}

const REGISTRIES: readonly SecondLevels[] = [
  {
    topLevel: "ar",
    names: "bet com coop edu gob gov int mil musica mutual net org senasa tur",
    evidence: "NIC Argentina, Zonas",
  },
  { topLevel: "at", names: "ac co gv or", evidence: "nic.at, Second-level domains" },
  {
    topLevel: "au",
    names: "asn com edu gov id net org",
    evidence: "auDA, .au Domain Administration Rules: Licensing",
  },
  {
    topLevel: "br",
    names:
      "adm adv agr art blog com coop eco edu emp eng esp gov ind inf jus leg med mil mp net org tec tur tv wiki",
    evidence: "Registro.br, Categorias de domínios",
  },
  {
    topLevel: "cn",
    names:
      "ac ah bj com cq edu fj gd gov gs gx gz ha hb he hi hk hl hn jl js jx ln mil mo net nm nx org qh sc sd sh sn sx tj tw xj xz yn zj",
    evidence: "MIIT of China, 中国互联网络域名体系 of 2018",
  },
  { topLevel: "co", names: "com edu gov mil net nom org", evidence: ".CO Internet, Policies" },
  { topLevel: "eg", names: "com edu eun gov mil name net org sci", evidence: "EUN, .eg Rules" },
  { topLevel: "es", names: "com edu gob nom org", evidence: "Red.es, Plan Nacional de Dominios" },
  {
    topLevel: "fr",
    names: "asso com gouv nom prd tm",
    evidence: "Afnic, Naming Charter: public domain names",
  },
  { topLevel: "gr", names: "com edu gov net org", evidence: "EETT, Regulation of .gr names" },
  { topLevel: "hk", names: "com edu gov idv net org", evidence: "HKIRC, Domain Categories" },
  {
    topLevel: "id",
    names: "ac biz co desa go mil my net or ponpes sch web",
    evidence: "PANDI, Kebijakan Umum Nama Domain",
  },
  {
    topLevel: "il",
    names: "ac co gov idf k12 muni net org",
    evidence: "ISOC-IL, Rules for the Allocation of Domain Names",
  },
  {
    topLevel: "in",
    names: "ac co edu firm gen gov ind mil net nic org res",
    evidence: "NIXI, .IN Domain Name Registration Policies",
  },
  {
    topLevel: "jp",
    names: "ac ad co ed go gr lg ne or",
    evidence: "JPRS, Types of JP domain names",
  },
  { topLevel: "ke", names: "ac co go info me mobi ne or sc", evidence: "KeNIC, Second levels" },
  {
    topLevel: "kr",
    names: "ac co es go hs kg mil ms ne or pe re sc",
    evidence: "KISA, Domain Name Management Rules",
  },
  { topLevel: "mx", names: "com edu gob net org", evidence: "NIC México, Políticas generales" },
  { topLevel: "my", names: "com edu gov mil name net org", evidence: "MYNIC, Domain categories" },
  { topLevel: "ng", names: "com edu gov mil mobi name net org sch", evidence: "NiRA, Policies" },
  {
    topLevel: "nz",
    names: "ac co cri geek gen govt health iwi kiwi maori mil net org parliament school",
    evidence: "InternetNZ, .nz Rules: second-level domains",
  },
  { topLevel: "pe", names: "com edu gob mil net nom org", evidence: "NIC.PE, Políticas" },
  { topLevel: "ph", names: "com edu gov mil net ngo org", evidence: "dotPH, Domain Policy" },
  { topLevel: "pk", names: "com edu gov net org", evidence: "PKNIC, Domain Registration Policy" },
  { topLevel: "pl", names: "com edu gov info mil net org", evidence: "NASK, functional domains" },
  {
    topLevel: "pt",
    names: "com edu gov int net nome org publ",
    evidence: ".PT, Registration Rules",
  },
  { topLevel: "sa", names: "com edu gov med net org pub sch", evidence: "SaudiNIC, Regulation" },
  { topLevel: "sg", names: "com edu gov net org per", evidence: "SGNIC, Registration Policies" },
  { topLevel: "th", names: "ac co go in mi net or", evidence: "THNIC, Domain Name Policy" },
  {
    topLevel: "tr",
    names: "av bbs bel com dr edu gen gov info k12 kep mil name net org pol tel tsk tv web",
    evidence: "BTK of Türkiye, Regulation of Internet Domain Names",
  },
  {
    topLevel: "tw",
    names: "club com ebiz edu game gov idv mil net org",
    evidence: "TWNIC, Guidelines for Administration of Domain Name Registration",
  },
  { topLevel: "ua", names: "com edu gov in net org", evidence: "Hostmaster, .UA Domain Policy" },
  {
    topLevel: "uk",
    names: "ac co gov ltd me net nhs org plc police sch",
    evidence: "Nominet, Rules of Registration; Jisc and the government for the others",
  },
  { topLevel: "uy", names: "com edu gub mil net org", evidence: "NIC Uruguay, Reglas" },
  {
    topLevel: "ve",
    names: "co com edu gob info mil net org web",
    evidence: "CONATEL, NIC Venezuela",
  },
  {
    topLevel: "vn",
    names: "ac biz com edu gov health info int name net org pro",
    evidence: "VNNIC, Circular on Internet resources",
  },
  {
    topLevel: "za",
    names: "ac co edu gov law mil net nom org school web",
    evidence: "ZADNA, second level domains",
  },
];

/**
 * Lists domains such as `com.cn`, below which a registry registers names of others. A host `www504.com.cn` is one of
 * these names, and no server of `com.cn`. The list is short: a domain that is missing is taken for a site.
 */
export const SECOND_LEVELS: ReadonlySet<string> = new Set(
  REGISTRIES.flatMap(({ topLevel, names }) =>
    names.split(" ").map((name) => `${name}.${topLevel}`),
  ),
);
