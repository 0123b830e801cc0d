/** Holds the URLs that the page shows at the start. */
export const EXAMPLES = [
  "https://shop.example/shoes?color=red&size=42",
  "https://shop.example/shoes?size=42&color=red&utm_source=newsletter",
  "HTTPS://Shop.Example:443/shoes?size=42&color=red#reviews",
  "https://shop.example/shoes?color=red&size=43",
  "http://news.example/2025/caf%C3%A9",
  "http://news.example/2024/../2025/café?fbclid=IwAR0x",
  "https://forum.example/thread.php?t=7",
  "https://forum.example/thread.php;jsessionid=1A2B3C4D5E6F?t=7",
  "https://forum.example/thread.php?t=7&page=2",
  "https://bücher.example",
  "https://xn--bcher-kva.example/",
  "http://300.1.2.3/",
  "",
].join("\n");
