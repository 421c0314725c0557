/**
 * Prints the progress of the set-up: a line when a part begins and ends, and one line every ten seconds about all parts
 * under way.
 */
const BEAT_MS = 10_000;

export class Progress {
  #write;
  #underWay = new Map();
  #timer;

  constructor(write = (line) => process.stdout.write(`${line}\n`)) {
    this.#write = write;
  }

  note(line) {
    this.#write(`  ${line}`);
  }

  /** `update` changes what the ten-second line says of the part. */
  begin(title) {
    const startedAt = performance.now();
    this.#underWay.set(title, { startedAt, doing: 'starting' });
    this.note(`${title} …`);
    this.#timer ??= setInterval(() => this.#beat(), BEAT_MS).unref();
    const finish = (word) => {
      this.#underWay.delete(title);
      this.note(`${title} ${word} ${seconds(startedAt)}`);
      if (this.#underWay.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    };
    return {
      update: (doing) => this.#underWay.set(title, { startedAt, doing }),
      end: () => finish('✓'),
      fail: () => finish('✗'),
      interrupt: () => finish('goes on later, after'),
    };
  }

  #beat() {
    const parts = [...this.#underWay].map(
      ([title, { startedAt, doing }]) => `${title}: ${doing} (${seconds(startedAt)})`,
    );
    this.note(`… ${parts.join('; ')}`);
  }
}

function seconds(since) {
  return `${Math.round((performance.now() - since) / 1000)} s`;
}
