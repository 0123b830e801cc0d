import { describe, expect, test } from "vitest";
import {
  checkedFlag,
  choiceFlag,
  listFlag,
  openSwitchFlag,
  readFlags,
  switchFlag,
  textFlag,
  wholeNumberFlag,
} from "../../src/runs/call/flags/flag.ts";

const named = { name: "x", text: "says what it does" };
const valued = { ...named, value: "N" };

describe("a flag", () => {
  test("that is a switch is false unless it is given", () => {
    const flag = switchFlag(named);
    expect([{}, { x: true }, { x: false }].map(flag.read)).toEqual([false, true, false]);
  });

  test("that is an open switch tells a denial from an absence", () => {
    const flag = openSwitchFlag(named);
    expect([{}, { x: true }, { x: false }].map(flag.read)).toEqual([undefined, true, false]);
  });

  test("that takes a text gives it, or undefined", () => {
    expect([{}, { x: "" }, { x: "a" }].map(textFlag(valued).read)).toEqual([undefined, "", "a"]);
  });

  test("that has a check gives what the check returns", () => {
    const flag = checkedFlag(valued, (text) => text.length);
    expect([{}, { x: "abc" }].map(flag.read)).toEqual([undefined, 3]);
  });

  test("that is a list gives every text, in order", () => {
    const flag = listFlag(valued, (text) => text.toUpperCase());
    expect([{}, { x: ["a", "b"] }].map(flag.read)).toEqual([[], ["A", "B"]]);
  });

  test("with choices gives one of them or its default, and names a near one", () => {
    const flag = choiceFlag({ ...named, choices: ["keep", "fail"], default: "keep" });
    expect([{}, { x: "fail" }].map(flag.read)).toEqual(["keep", "fail"]);
    expect(() => flag.read({ x: "fial" })).toThrow(
      '--x is one of keep, fail, not "fial"; did you mean fail?',
    );
  });

  test("of a whole number holds to its bounds, and its text says its default", () => {
    const flag = wholeNumberFlag({ ...valued, default: 3, max: 9 });
    expect(flag.text).toBe("says what it does (default 3)");
    expect([{}, { x: "9" }].map(flag.read)).toEqual([3, 9]);
    for (const x of ["0", "10", "-1", "1.5", "1e0", "", " 1"]) {
      expect(() => flag.read({ x })).toThrow(`--x is a whole number from 1 to 9, not "${x}"`);
    }
  });

  test("of a whole number without a most says where it begins", () => {
    const flag = wholeNumberFlag({ ...valued, default: undefined });
    expect(flag.text).toBe("says what it does");
    expect(() => flag.read({ x: "0" })).toThrow("--x is a whole number from 1 on");
  });
});

test("flags are read by their names in the code", () => {
  const flags = {
    isDry: switchFlag({ ...named, name: "dry-run" }),
    most: wholeNumberFlag({ ...valued, name: "at-most", default: 1 }),
  };
  expect(readFlags(flags, { "dry-run": true })).toEqual({ isDry: true, most: 1 });
});
