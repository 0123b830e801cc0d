/** Names the version of a control group, by the type of its mount. */
export type GroupVersion = "cgroup" | "cgroup2";

/** Holds where the files of a control group are. */
export interface ControlGroup {
  readonly version: GroupVersion;
  /** The folder of its files, below the root. */
  readonly folder: string;
}

/**
 * Returns the control groups of this process that may limit something: its own, and all groups above it. `controller`: says
 * what is limited. `root`: the folder in which `/proc` and the control groups are. Other systems than Linux have none.
 */
export function controlGroups(controller: "memory" | "cpu", root: string): ControlGroup[] {
  const paths = groupPaths(readSystem(root, "proc/self/cgroup"), controller);
  const mountinfo = readSystem(root, "proc/self/mountinfo");
  return mounts(mountinfo, controller).flatMap(({ version, top, folder }) => {
    const path = paths[version];
    if (path === undefined) return [];
    return foldersUpTo(top, path).map((at) => ({ version, folder: folder + at }));
  });
}

/** Returns the path of the group that has a controller in each version. */
function groupPaths(
  cgroup: string,
  controller: string,
): { [Version in GroupVersion]?: string | undefined } {
  const first = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(/.*)$`, "m");
  return { cgroup: first.exec(cgroup)?.[1], cgroup2: /^0::(\/.*)$/m.exec(cgroup)?.[1] };
}

/** Holds where control groups are mounted. `top`: the group that is at the top there. */
interface GroupMount extends ControlGroup {
  readonly top: string;
}

function mounts(mountinfo: string, controller: string): GroupMount[] {
  const found = mountinfo.matchAll(/^\d+ \d+ \S+ (\S+) (\S+) .*- (cgroup2?) \S+ (\S+)$/gm);
  return [...found].flatMap(([, top, folder, version, options]) => {
    const isFor = version === "cgroup2" || options?.split(",").includes(controller) === true;
    if (!isFor) return [];
    return [{ version, top: unescaped(top), folder: unescaped(folder) } as GroupMount];
  });
}

/** Returns a path of mountinfo, where a space is `\040`. */
function unescaped(path = ""): string {
  return path.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)));
}

/** Returns the paths from a group up to the group `top`, as paths below `top`. A group that is not below has that only. */
function foldersUpTo(top: string, path: string): string[] {
  const above = top === "/" ? "" : top;
  const names = path.startsWith(`${above}/`) ? path.slice(above.length + 1).split("/") : [];
  const isBelow = !names.includes("..");
  const count = isBelow ? names.filter((name) => name !== "").length : 0;
  return Array.from({ length: count + 1 }, (_, at) => names.slice(0, count - at).join("/")).map(
    (name) => `/${name}`,
  );
}

/** Reads a file of the system. Returns an empty text where there is none, as on other systems than Linux. */
export function readSystem(root: string, file: string): string {
  // Deno would ask a user for each file.
  if ("Deno" in globalThis) return "";
  try {
    const fs = globalThis.process?.getBuiltinModule?.("node:fs");
    return fs?.readFileSync(`${root}/${file}`, "latin1") ?? "";
  } catch {
    return ""; // a container without /proc, or a group at the top, which has no limit
  }
}
