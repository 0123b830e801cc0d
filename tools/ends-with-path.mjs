/** Returns whether a path of this system ends with a name whose parts are divided by `/`. Windows divides paths by backslashes. */
export function endsWithPath(path, name) {
  return path.replaceAll("\\", "/").endsWith(name);
}
