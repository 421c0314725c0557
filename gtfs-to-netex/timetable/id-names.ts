/**
 * Turns ids of the feed into the last part of NeTEx ids. Other characters become `_`; ids that are then equal get a
 * number. Ids of stops may keep dots; NETEX_ID_2 allows none elsewhere. Caller: the timetable.
 */
const FOREIGN = /[^0-9A-Za-z_-]/g;
const FOREIGN_TO_STOPS = /[^0-9A-Za-z_.-]/g;

export class IdNames {
  readonly #used = new Set<string>();
  readonly #foreign: RegExp;

  /** One instance for each kind of element. */
  constructor(kind?: 'stops') {
    this.#foreign = kind === 'stops' ? FOREIGN_TO_STOPS : FOREIGN;
  }

  /** Call in the order of the feed: when ids become equal, the first keeps the plain form. */
  take(feedId: string): string {
    const plain = feedId.replace(this.#foreign, '_') || '_';
    let name = plain;
    for (let number = 2; this.#used.has(name); number++) name = `${plain}-${number}`;
    this.#used.add(name);
    return name;
  }
}
