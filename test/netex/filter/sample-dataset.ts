/** Filters changed copies of the sample dataset of the rule cases. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../dev/setup/resolve.mjs';
import { zipOf } from './filtered-dataset.ts';

export const SHARED = '_ABC_shared_data.xml';
export const LINE = 'ABC_line.xml';
export const FERRY = 'ABC_line2.xml';
export const FLEXIBLE = 'ABC_flexible.xml';

export type Change = readonly [file: string, replaced: string | RegExp, by: string];

/** The sample with changes; each must change something. */
export function sampleFiles(...changes: readonly Change[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of [SHARED, LINE, FERRY, FLEXIBLE]) {
    files[name] = readFileSync(join(projectRoot, 'test/spec/rules/samples', name), 'utf8');
  }
  for (const [file, replaced, by] of changes) {
    const before = files[file] ?? assert.fail(file);
    files[file] = before.replace(replaced, by);
    assert.notEqual(files[file], before, `${file} has no ${replaced}`);
  }
  return files;
}

export function sampleZip(...changes: readonly Change[]): Uint8Array {
  return zipOf(sampleFiles(...changes));
}

/** Makes the day types run on these days only, each `yyyy-MM-dd`. A day with `-` before it is excluded. */
export function calendar(weekdays: readonly string[], nights: readonly string[] = []): Change {
  const assignments = [...weekdays.map((day) => ['hverdag', day]), ...nights.map((day) => ['natt', day])].map(
    ([dayType = '', day = ''], place) => {
      const date = day.replace(/^-/, '');
      const available = day.startsWith('-') ? '<isAvailable>false</isAvailable>' : '';
      return `<DayTypeAssignment id="ABC:DayTypeAssignment:${place}" version="1" order="${place + 1}"><Date>${date}</Date><DayTypeRef ref="ABC:DayType:${dayType}" version="1"/>${available}</DayTypeAssignment>`;
    },
  );
  return [
    SHARED,
    /<dayTypeAssignments>.*<\/dayTypeAssignments>/s,
    `<dayTypeAssignments>${assignments.join('')}</dayTypeAssignments>`,
  ];
}

/** Sets the attribute `publication` of an element, by its id. */
export function publication(file: string, id: string, value = 'restricted'): Change {
  return [file, ` id="${id}"`, ` publication="${value}" id="${id}"`];
}
