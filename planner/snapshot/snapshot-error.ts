/** Why bytes cannot be opened as a snapshot. Planner processes then keep their current snapshot. */
export type SnapshotErrorCode = 'foreign' | 'otherFormat' | 'truncated' | 'damaged';

export class SnapshotError extends Error {
  readonly code: SnapshotErrorCode;

  constructor(code: SnapshotErrorCode, message: string) {
    super(message);
    this.name = 'SnapshotError';
    this.code = code;
  }
}
