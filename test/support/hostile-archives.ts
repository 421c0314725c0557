/**
 * Archives that must be refused, each with its error code. Callers: the tests of the archive reader, and those that
 * upload each through the whole service.
 */
import type { ArchiveErrorCode } from '../../netex/zip/index.ts';
import { contentArchives } from './hostile/content.ts';
import { headerArchives } from './hostile/headers.ts';
import { nameArchives } from './hostile/names.ts';
import { sizeArchives } from './hostile/sizes.ts';
import { structureArchives } from './hostile/structure.ts';

export interface HostileArchive {
  readonly name: string;
  bytes(): Uint8Array;
  readonly expectedCode: ArchiveErrorCode;
}

export const hostileArchives: readonly HostileArchive[] = [
  ...structureArchives,
  ...headerArchives,
  ...nameArchives,
  ...sizeArchives,
  ...contentArchives,
];
