import { describeRules } from "../shared/ruled.ts";

describeRules("rules by their condition", [
  [
    ["a.b | /p | drop x"],
    [
      ["http://a.b/p?x", "http://a.b/p"],
      ["http://a.b/p/?x", "http://a.b/p/?x"],
      ["http://a.b/?x", "http://a.b/?x"],
    ],
  ],
  [
    ["a.b | /p/...x | drop x"],
    [
      ["http://a.b/p/q/x?x", "http://a.b/p/q/x"],
      ["http://a.b/p/q/y?x", "http://a.b/p/q/y?x"],
    ],
  ],
  [
    ["a.b | /p<N>/*.php | drop x"],
    [
      ["http://a.b/p12/q.php?x", "http://a.b/p12/q.php"],
      ["http://a.b/p12/.php?x", "http://a.b/p12/.php?x"],
    ],
  ],
  [
    ["a.b | /<H>/q | drop x"],
    [
      ["http://a.b/0123456789abcdef0/q?x", "http://a.b/0123456789abcdef0/q"],
      ["http://a.b/0123456789abcde/q?x", "http://a.b/0123456789abcde/q?x"],
    ],
  ],
  [
    ["a.b | ?a&!b&c=1 | drop x"],
    [
      ["http://a.b/?a&c=1&x", "http://a.b/?a&c=1"],
      ["http://a.b/?a&c=1&x&b", "http://a.b/?a&c=1&x&b"],
      ["http://a.b/?a&c=2;c=1&x", "http://a.b/?a&c=2;c=1"],
      ["http://a.b/?a&c&x", "http://a.b/?a&c&x"],
    ],
  ],
]);
