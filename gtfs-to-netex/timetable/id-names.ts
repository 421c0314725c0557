/**
 * Ids of the feed as the last part of NeTEx ids: other characters become `_`, and what is then the same gets a number. A dot may
 * stay in ids of stops; NETEX_ID_2 allows none elsewhere. Callers: the timetable; everything else asks it.
 */
const FOREIGN = /[^0-9A-Za-z_-]/g;
const FOREIGN_TO_STOPS = /[^0-9A-Za-z_.-]/g;

export class IdNames {
  readonly #used = new Set<string>();
  readonly #foreign: RegExp;

  /** One for each kind of element. */
  constructor(kind?: 'stops') {
    this.#foreign = kind === 'stops' ? FOREIGN_TO_STOPS : FOREIGN;
  }

  /** Call in the order of the feed: of ids that become equal, the first keeps the plain form. */
  take(feedId: string): string {
    const plain = feedId.replace(this.#foreign, '_') || '_';
    let name = plain;
    for (let number = 2; this.#used.has(name); number++) name = `${plain}-${number}`;
    this.#used.add(name);
    return name;
  }
}
