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

/** Returns the value of a key; one that is made, and stays, if it has none. */
export function entryOf<Key, Value>(values: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = make();
  values.set(key, value);
  return value;
}
