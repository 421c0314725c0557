/** Every rule and every check. A new family adds its line here and nowhere else. */

import type { ModelCheck } from '../model/model-check.ts';
import { archiveRules } from './archives.ts';
import { blockChecks } from './blocks.ts';
import { bookingChecks } from './booking.ts';
import { bookingGivenChecks } from './booking-given.ts';
import type { Check } from './check.ts';
import { codespaceChecks } from './codespaces.ts';
import { datasetRules } from './dataset-rules.ts';
import { datedServiceJourneyChecks } from './dated-service-journeys.ts';
import { deadRunChecks } from './dead-runs.ts';
import { NO_ACTIVE_JOURNEYS } from './facts.ts';
import { flexChecks } from './flex.ts';
import { flexibleAreaChecks } from './flexible-areas.ts';
import { frameChecks } from './frames.ts';
import { idChecks } from './ids.ts';
import { intakeRules } from './intake.ts';
import { interchangeEndChecks, interchangeEndModelChecks } from './interchange-ends.ts';
import { interchangeChecks } from './interchanges.ts';
import { passingTimeChecks } from './journey-passing-times.ts';
import { journeyPatternChecks } from './journey-patterns.ts';
import { lineOperatorChecks } from './line-operators.ts';
import { lineChecks } from './lines.ts';
import { linkGeometryChecks } from './link-geometry.ts';
import { networkChecks } from './networks.ts';
import { noticeChecks } from './notices.ts';
import { organisationChecks } from './organisations.ts';
import { passingTimeOrderChecks } from './passing-time-order.ts';
import { patternLinkChecks } from './pattern-links.ts';
import { patternQuayChecks } from './pattern-quays.ts';
import { quayModeChecks } from './quay-modes.ts';
import { referenceChecks } from './references.ts';
import { repeatedPatternChecks } from './repeated-patterns.ts';
import { routeChecks } from './routes.ts';
import type { Rule } from './rule.ts';
import { XML_SCHEMA_ERROR, XML_SCHEMA_WARNING } from './schema.ts';
import { serviceAlterationChecks } from './service-alterations.ts';
import { serviceCalendarChecks } from './service-calendar.ts';
import { serviceJourneyChecks } from './service-journeys.ts';
import { serviceLinkChecks } from './service-links.ts';
import { speedChecks } from './speeds.ts';
import { stopAssignmentChecks } from './stop-assignments.ts';
import { stopDistanceChecks } from './stop-distances.ts';
import { swedenChecks } from './sweden.ts';
import { transportModeChecks } from './transport-modes.ts';
import { NETEX_ID_1, NETEX_ID_10 } from './uniqueness.ts';
import { validityPeriodChecks } from './validity-periods.ts';
import { versionChecks } from './versions.ts';

/** Run in the single pass over each file. */
export const fileChecks: readonly Check[] = [
  ...versionChecks,
  ...idChecks,
  ...referenceChecks,
  ...codespaceChecks,
  ...frameChecks,
  ...validityPeriodChecks,
  ...organisationChecks,
  ...networkChecks,
  ...stopAssignmentChecks,
  ...serviceLinkChecks,
  ...lineChecks,
  ...routeChecks,
  ...serviceJourneyChecks,
  ...passingTimeChecks,
  ...transportModeChecks,
  ...bookingChecks,
  ...bookingGivenChecks,
  ...interchangeChecks,
  ...lineOperatorChecks,
  ...flexChecks,
  ...flexibleAreaChecks,
  ...swedenChecks,
  ...journeyPatternChecks,
  ...noticeChecks,
  ...serviceCalendarChecks,
  ...datedServiceJourneyChecks,
  ...deadRunChecks,
  ...blockChecks,
  ...interchangeEndChecks,
];

/** Run over the timetable of a file, after the pass over it. */
export const modelChecks: readonly ModelCheck[] = [
  ...repeatedPatternChecks,
  ...patternQuayChecks,
  ...patternLinkChecks,
  ...passingTimeOrderChecks,
  ...serviceAlterationChecks,
  ...interchangeEndModelChecks,
  ...stopDistanceChecks,
  ...speedChecks,
  ...quayModeChecks,
  ...linkGeometryChecks,
];

/** Checked elsewhere: by the intake, by the schema stage, over the dataset. */
const otherRules: readonly Rule[] = [
  ...intakeRules,
  ...archiveRules,
  XML_SCHEMA_ERROR,
  XML_SCHEMA_WARNING,
  NETEX_ID_1,
  NETEX_ID_10,
  NO_ACTIVE_JOURNEYS,
  ...datasetRules,
];

/** Sorted by stage, then code. */
export const ruleCatalogue: readonly Rule[] = [
  ...new Set([...[...fileChecks, ...modelChecks].flatMap((check) => check.rules), ...otherRules]),
].toSorted((a, b) => (a.stage + a.code < b.stage + b.code ? -1 : 1));

const byCode = new Map(ruleCatalogue.map((rule) => [rule.code, rule]));

export function findRule(code: string): Rule | undefined {
  return byCode.get(code);
}
