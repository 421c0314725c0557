/** Types of progress.mjs for the tests. */
export class Progress {
  constructor(write?: (line: string) => void);
  note(line: string): void;
  begin(title: string): { update(doing: string): void; end(): void; fail(): void; interrupt(): void };
}
