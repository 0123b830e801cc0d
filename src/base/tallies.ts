/** Adds to the count of a key, which begins at 0. */
export function addCount<Key>(counts: Map<Key, number>, key: Key, more = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + more);
}

/** Adds a member to the list of a key, which begins empty. */
export function addMember<Key, Member>(lists: Map<Key, Member[]>, key: Key, member: Member): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [member]);
  else list.push(member);
}

/** Has values by keys, as maps do. */
interface Values<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Returns the value of a key; one that is made, and stays, if it has none. */
export function entryOf<Key, Value>(
  values: Values<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  values.set(key, value);
  return value;
}
