/** The service links of journey patterns: one for each hop between stops, each between the right two. */
import type { ModelCheck } from '../model/model-check.ts';
import type { JourneyPattern, TimetableModel } from '../model/timetable-model.ts';
import type { RuleRun } from './check.ts';
import { semanticRule } from './semantic-rule.ts';

export const INVALID_NUMBER_OF_STOP_POINTS_OR_LINKS_IN_JOURNEY_PATTERN = semanticRule(
  'INVALID_NUMBER_OF_STOP_POINTS_OR_LINKS_IN_JOURNEY_PATTERN',
  'ERROR',
  'Invalid number of stop points or links in JourneyPattern',
  'Number of service links in a pattern is not number of stops minus one (or fewer than two stops)',
  'A JourneyPattern with four stops and two service links',
  'Give a link from each stop to the next and none more, or leave linksInSequence out.',
);
export const STOP_POINTS_IN_SERVICE_LINK_DOES_NOT_MATCH_THE_JOURNEY_PATTERN = semanticRule(
  'STOP_POINTS_IN_SERVICE_LINK_DOES_NOT_MATCH_THE_JOURNEY_PATTERN',
  'WARNING',
  'Stop points in service link does not match the journey pattern',
  "Service link end points differ from the pattern's stops it joins",
  'The first link of a pattern with the stops A and B is a ServiceLink from A to C',
  'Refer to the ServiceLink that joins the two stops, or correct its FromPointRef and ToPointRef.',
);

/**
 * A pattern need not have links at all, since geometry is optional; the reference validator skips such patterns too.
 * Links of other kinds (TimingLinkInJourneyPattern) can accompany service links, so they are not counted.
 */
const numbersFit: ModelCheck = {
  rules: [INVALID_NUMBER_OF_STOP_POINTS_OR_LINKS_IN_JOURNEY_PATTERN],
  check(run, { journeyPatterns }) {
    for (const pattern of journeyPatterns) {
      const stops = pattern.stops.length;
      const links = pattern.links.length;
      const said = `${pattern.kind} ${pattern.id}`;
      if (stops < 2) {
        run.report(
          INVALID_NUMBER_OF_STOP_POINTS_OR_LINKS_IN_JOURNEY_PATTERN,
          pattern,
          () => `${said} has ${stops === 0 ? 'no stop' : 'one stop only'}; expected two at least.`,
        );
      } else if (links > 0 && links !== stops - 1) {
        run.report(
          INVALID_NUMBER_OF_STOP_POINTS_OR_LINKS_IN_JOURNEY_PATTERN,
          pattern,
          () => `${said} has ${stops} stops and ${links} service links; expected ${stops - 1}, or none.`,
        );
      }
    }
  },
};

/** Only when each link has its two stops. Other rules report missing links and missing ends. */
const linksJoinTheStops: ModelCheck = {
  rules: [STOP_POINTS_IN_SERVICE_LINK_DOES_NOT_MATCH_THE_JOURNEY_PATTERN],
  check(run, model) {
    for (const pattern of model.journeyPatterns) {
      if (pattern.links.length === pattern.stops.length - 1) checkLinks(run, model, pattern);
    }
  },
};

function checkLinks(run: RuleRun, model: TimetableModel, pattern: JourneyPattern): void {
  for (const [index, link] of pattern.links.entries()) {
    const serviceLink = link.serviceLinkRef === undefined ? undefined : model.findServiceLink(link.serviceLinkRef);
    if (!serviceLink) continue;
    const { fromPointRef, toPointRef } = serviceLink;
    const from = pattern.stops[index]?.scheduledStopPointRef;
    const to = pattern.stops[index + 1]?.scheduledStopPointRef;
    if (from === undefined || to === undefined || fromPointRef === undefined || toPointRef === undefined) continue;
    if (fromPointRef === from && toPointRef === to) continue;
    run.report(
      STOP_POINTS_IN_SERVICE_LINK_DOES_NOT_MATCH_THE_JOURNEY_PATTERN,
      link,
      () =>
        `Link ${index + 1} of ${pattern.kind} ${pattern.id} is ${serviceLink.id} from ${fromPointRef} to ${toPointRef}; expected one from ${from} to ${to}.`,
    );
  }
}

export const patternLinkChecks: readonly ModelCheck[] = [numbersFit, linksJoinTheStops];
