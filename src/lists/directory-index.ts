/**
 * File names that a server sends for the folder they lie in: the specification's default list. NCSA
 * httpd began with `index.html`, PHP and CGI follow its `index`; Microsoft's IIS begins with `default`.
 */
export const DIRECTORY_INDEX: readonly string[] = ["index", "default"].flatMap((name) =>
  ["html", "htm", "shtml", "php", "asp", "aspx", "jsp", "cgi"].map((ending) => `${name}.${ending}`),
);
