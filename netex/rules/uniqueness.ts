/**
 * Ids used in more than one file: NETEX_ID_1 and NETEX_ID_10. This module only gathers a file's ids;
 * dataset/duplicate-ids.ts compares them over the dataset.
 */
import { HashSet } from '../dataset/hash-set.ts';
import { IdentifiersBuilder } from '../dataset/identifiers.ts';
import type { Check, RuleRun } from './check.ts';
import { defineRule } from './rule.ts';

/** Kinds that line files usually repeat. */
const MAY_REPEAT: ReadonlySet<string> = new Set([
  'ResourceFrame',
  'SiteFrame',
  'CompositeFrame',
  'TimetableFrame',
  'ServiceFrame',
  'ServiceCalendarFrame',
  'VehicleScheduleFrame',
  'Block',
  'RoutePoint',
  'PointProjection',
  'ScheduledStopPoint',
  'PassengerStopAssignment',
  'NoticeAssignment',
  'ServiceLinkInJourneyPattern',
  'ServiceFacilitySet',
  'AvailabilityCondition',
]);

export const NETEX_ID_1 = defineRule({
  code: 'NETEX_ID_1',
  severity: 'ERROR',
  name: 'NeTEx ID duplicated across files',
  meaning:
    'Id already used in another file of the dataset (frames, blocks, route points, projections, stop points, ' +
    'assignments, notice assignments, facility sets and availability conditions exempt)',
  stage: '2-ids',
  scope: 'line',
  example: 'Two line files that both define ServiceJourney ABC:ServiceJourney:1',
  mend: 'Give each element one id of its own, or move what files share into a common file.',
});

export const NETEX_ID_10 = defineRule({
  code: 'NETEX_ID_10',
  severity: 'WARNING',
  name: 'Duplicate NeTEx ID across common files',
  meaning: 'Id used in more than one common file (the same kinds exempt)',
  stage: '2-ids',
  scope: 'common',
  example: 'Two common files that both define Operator ABC:Operator:1',
  mend: 'Keep the element in one of the common files.',
});

/** Gathers each id once, at its first place in the file. Reports nothing by itself. */
export function createIdentifierCollector(): { check: Check; build(): Uint8Array } {
  const builder = new IdentifiersBuilder();
  const check: Check = {
    rules: [],
    begin(run: RuleRun) {
      const gathered = new HashSet();
      return {
        identified(element, id) {
          if (MAY_REPEAT.has(element.name)) return;
          run.hasher.hash(id);
          const { high, low } = run.hasher;
          if (gathered.add(high, low)) builder.add(id, high, low, element.line, element.column);
        },
      };
    },
  };
  return { check, build: () => builder.build() };
}
