/** One version of an element while it is read. Callers: the reader of SiteFrames, the builder of the register. */
import { BYTES_PER_ELEMENT, NO_BEARING, NO_POSITION, TEXTS_PER_ELEMENT } from './stop-layout.ts';

export class StopDraft {
  /** Depth of the element in the file. */
  readonly depth: number;
  /** Number of this version among all versions read; lists belong to it. */
  readonly revision: number;
  /** Version of the parent element; -1: none. */
  readonly parentRevision: number;
  readonly bytes = new Uint8Array(BYTES_PER_ELEMENT);
  readonly texts = new Uint32Array(TEXTS_PER_ELEMENT);
  latitude = NO_POSITION;
  longitude = NO_POSITION;
  bearing = NO_BEARING;
  validFromMs: number;
  validToMs: number;
  /** Created at the first fact of a transfer. */
  transfer: Int32Array | undefined;
  isOneWayReverse = false;
  isDeleted = false;
  /** Text number of the current alternative name's type. */
  nameType = 0;
  /** Key of the current entry of the key list. */
  key = '';

  constructor(depth: number, revision: number, parent: StopDraft | undefined) {
    this.depth = depth;
    this.revision = revision;
    this.parentRevision = parent?.revision ?? -1;
    this.validFromMs = parent?.validFromMs ?? Number.NEGATIVE_INFINITY;
    this.validToMs = parent?.validToMs ?? Number.POSITIVE_INFINITY;
  }
}
