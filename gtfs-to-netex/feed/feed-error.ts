/** Reports what is wrong with a feed, where, and what to do about it. Callers: everything that reads feeds. */
export interface FeedPlace {
  readonly file: string;
  /** From 1; the header is line 1. */
  readonly line?: number;
  readonly column?: string;
}

export class FeedError extends Error {
  override readonly name = 'FeedError';

  constructor(message: string, place?: FeedPlace) {
    super(place ? `${describe(place)}: ${message}` : message);
  }
}

function describe({ file, line, column }: FeedPlace): string {
  return [file, line === undefined ? '' : `line ${line}`, column === undefined ? '' : `column ${column}`]
    .filter((part) => part !== '')
    .join(', ');
}
