const ENDINGS = [
  ...["html", "htm", "shtml", "xhtml"],
  ...["php", "php3", "php4", "php5", "phtml"],
  ...["asp", "aspx", "jsp", "jspa", "jspx", "jsf", "cfm", "cgi", "do"],
];

/**
 * Lists file names that a server sends for their folder: the default list of docs/spec.md 4, which is
 * compared without ASCII case. NCSA httpd began with `index.html`, and PHP, CGI, ColdFusion and Java servers
 * follow its `index`; Microsoft's IIS begins with `default`.
 */
export const DIRECTORY_INDEX: readonly string[] = ["index", "default"].flatMap((name) =>
  ENDINGS.map((ending) => `${name}.${ending}`),
);
