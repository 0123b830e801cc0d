import { expect, test } from "vitest";
import { describeEngines } from "../shared/engines.ts";
import { atLength } from "../shared/length.ts";
import { describeRules, ruled } from "../shared/ruled.ts";

describeRules("rules by their action", [
  [
    ["a.b | * | drop x,y"],
    [
      ["http://a.b/?x=1&a&y&b=2", "http://a.b/?a&b=2"],
      ["http://a.b/?a&x", "http://a.b/?a"],
      ["http://a.b/?x", "http://a.b/"],
      ["http://a.b/?x;a;y&b", "http://a.b/?a&b"],
      ["http://a.b/?&x&", "http://a.b/?&"],
      ["http://a.b/?a=x&xx", "http://a.b/?a=x&xx"],
      ["http://a.b/x?", "http://a.b/x?"],
    ],
  ],
  [["a.b | * | drop %C3%A9"], [["http://a.b/?é=1&%c3%a9", "http://a.b/"]]],
  [
    ["a.b | * | drop long_parameter_1"],
    [
      [
        "http://a.b/?long_parameter_2&long_parameter_1&long_parameter_10",
        "http://a.b/?long_parameter_2&long_parameter_10",
      ],
    ],
  ],
  [
    ["a.b | * | keep id"],
    [
      ["http://a.b/?x&id=1;y", "http://a.b/?id=1"],
      ["http://a.b/?x", "http://a.b/"],
      ["http://a.b/?id", "http://a.b/?id"],
      ["http://a.b/?", "http://a.b/"],
    ],
  ],
  [["a.b | * | keep"], [["http://a.b/p?x&y#f", "http://a.b/p#f"]]],
  [
    ["a.b | * | dropif p=1"],
    [
      ["http://a.b/?p=1&a&p=2&p=1", "http://a.b/?a&p=2"],
      ["http://a.b/?p&p=12", "http://a.b/?p&p=12"],
    ],
  ],
  [["a.b | * | dropif p="], [["http://a.b/?p=&p", "http://a.b/?p"]]],
  [
    ["a.b | * | set l=en"],
    [
      ["http://a.b/?l=de&x&l;l=en", "http://a.b/?l=en&x&l=en;l=en"],
      ["http://a.b/?ll=de", "http://a.b/?ll=de"],
    ],
  ],
  [
    ["a.b | * | sort"],
    [
      ["http://a.b/?b=1&a=2&b=0&%41", "http://a.b/?A&a=2&b=1&b=0"],
      ["http://a.b/?c;a&b", "http://a.b/?a;b&c"],
      ["http://a.b/?b&&ab&a", "http://a.b/?&a&ab&b"],
    ],
  ],
  // A rule after sort, where sort had nothing to do, or has nothing to do any more.
  [
    ["a.b | * | sort", "a.b | * | drop x"],
    [
      ["http://a.b/?a=1&a=2&x=3&y", "http://a.b/?a=1&a=2&y"],
      ["http://a.b/?a&a-b=2&x=3&y", "http://a.b/?a&a-b=2&y"],
      ["http://a.b/?ab=1&x=3&xy=4", "http://a.b/?ab=1&xy=4"],
    ],
  ],
  [
    ["a.b | * | drop z", "a.b | * | sort", "a.b | * | drop x"],
    [
      ["http://a.b/?z&a=1&x=3&y", "http://a.b/?a=1&y"],
      ["http://a.b/?z&b=1&x=3&a", "http://a.b/?a&b=1"],
    ],
  ],
  [
    ["a.b | * | sub /story_<N> => /s?id=<1>"],
    [
      ["http://a.b/story_12#x", "http://a.b/s?id=12#x"],
      ["http://a.b/story_x", "http://a.b/story_x"],
      ["http://a.b/my/story_1/story_2", "http://a.b/my/s?id=1/s?id=2"],
    ],
  ],
  [
    ["a.b | * | sub &s=<H> => "],
    [
      ["http://a.b/?a&s=0123456789abcdefF&b&s=0123456789ABCDEF", "http://a.b/?a&b"],
      ["http://a.b/?a&s=0123456789abcde", "http://a.b/?a&s=0123456789abcde"],
      ["http://a.b/?a&s=0123456789abcdefg", "http://a.b/?a&s=0123456789abcdefg"],
    ],
  ],
  [
    ["a.b | * | sub ?v=<T><$> => "],
    [
      ["http://a.b/p?v=x.y", "http://a.b/p"],
      ["http://a.b/p?v=x&y", "http://a.b/p?v=x&y"],
    ],
  ],
  [
    ["a.b | * | sub http => h"],
    [["http://a.b/http/https/xhttp/http1", "http://a.b/h/https/xhttp/h1"]],
  ],
  // A target without its first `/` is not a target.
  [
    ["a.b | * | sub /a => a"],
    [
      ["http://a.b/a", "http://a.b/a"],
      ["http://a.b/x/a", "http://a.b/xa"],
    ],
  ],
  // Dot segments that a rule makes go as those of any URL.
  [
    ["a.b | * | sub x => ."],
    [
      ["http://a.b/p/x/q", "http://a.b/p/q"],
      ["http://a.b/p/x", "http://a.b/p/"],
    ],
  ],
  [["a.b | * | sub xy => .."], [["http://a.b/p/xy/q?xy", "http://a.b/q?.."]]],
  // A stray `%` that a rule makes is written as one.
  [["a.b | * | sub C3 => "], [["http://a.b/%C3z", "http://a.b/%25z"]]],
  [
    ["a.b | * | path /x/*/<N>/v* => /n<2>/<1>/<3>"],
    [
      ["http://a.b/x/k/12/vz?q", "http://a.b/n12/k/z?q"],
      ["http://a.b/x/k/12/v", "http://a.b/x/k/12/v"],
      ["http://a.b/y/x/k/12/vz", "http://a.b/y/x/k/12/vz"],
    ],
  ],
  [
    ["a.b | * | path /old/....html => /<1>"],
    [
      ["http://a.b/old/a/b.html", "http://a.b/a/b"],
      ["http://a.b/old/.html", "http://a.b/"],
      ["http://a.b/old/a.htm", "http://a.b/old/a.htm"],
    ],
  ],
  [
    ["a.b | * | cut print"],
    [
      ["http://a.b/print/x/print?print", "http://a.b/x?print"],
      ["http://a.b/print", "http://a.b/"],
      ["http://a.b/print/", "http://a.b/"],
      ["http://a.b/prints", "http://a.b/prints"],
    ],
  ],
  [
    ["a.b | * | lower path"],
    [
      ["http://a.b/AbC/%C3%A9?X", "http://a.b/abc/%C3%A9?X"],
      ["http://a.b/%C3?X", "http://a.b/%C3?X"],
    ],
  ],
  [
    ["www.a.b | * | host www.a.b => a.b"],
    [
      ["http://u:p@www.a.b/x?y#z", "http://u:p@a.b/x?y#z"],
      ["http://www.a.b:81/", "http://www.a.b:81/"],
    ],
  ],
  [
    [
      "a.b:81 | * | host a.b:81 => a.b",
      "a.b | * | drop x",
      "c.d | * | host c.d => a.b:82",
      "a.b:82 | * | cut p",
    ],
    [
      ["http://a.b:81/?x", "http://a.b/"],
      ["http://a.b:080/?x", "http://a.b/"],
      ["http://c.d/p?x", "http://a.b:82/?x"],
    ],
  ],
  [["[::1]:81 | * | host [::1]:81 => [::1]"], [["http://[0::1]:81/", "http://[::1]/"]]],
  [
    ["a.b | * | scheme https", "a.b:443 | * | scheme https"],
    [
      ["http://a.b/", "https://a.b/"],
      ["http://a.b:443/", "https://a.b/"],
      ["http://a.b:81/", "http://a.b:81/"],
    ],
  ],
  [
    ["a.b | /login ?next | sink /login", "a.b | /calendar | sink /"],
    [
      ["http://a.b/login?next=/x&y#f", "http://a.b/login#f"],
      ["http://a.b/login?y", "http://a.b/login?y"],
      ["http://a.b/calendar?d=1", "http://a.b/"],
    ],
  ],
]);

describeEngines("a text that a rule takes out", (create) => {
  test("is found wherever it begins and ends", () => {
    for (const text of ["x", "xyz", "xyxyz", "x".repeat(16), `x${"y".repeat(31)}z`]) {
      const n = ruled(create, [`a.b | * | sub ${text} => `]);
      for (let before = 0; before < 50; before += atLength(3, 1)) {
        for (const after of ["", "/", "-b", "?c=1"]) {
          const start = `http://a.b/${"a".repeat(before)}-`;
          expect(n.normalize(start + text + after)).toBe(start + after);
        }
      }
    }
  });
});
