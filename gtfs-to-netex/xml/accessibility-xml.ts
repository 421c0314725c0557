/** Writes wheelchair access of GTFS (1 yes, 2 no) as an assessment; nothing when unknown. Callers: stops, journeys. */
import type { XmlWriter } from '../../netex/writing/xml-writer.ts';
import type { NetexNames } from './netex-names.ts';

export function accessibilityXml(xml: XmlWriter, names: NetexNames, local: string, wheelchair: number): void {
  const access = wheelchair === 1 ? 'true' : wheelchair === 2 ? 'false' : undefined;
  if (access === undefined) return;
  xml.line(
    `<AccessibilityAssessment ${names.identity('AccessibilityAssessment', local)}>` +
      `<MobilityImpairedAccess>${access}</MobilityImpairedAccess><limitations><AccessibilityLimitation>` +
      `<WheelchairAccess>${access}</WheelchairAccess></AccessibilityLimitation></limitations></AccessibilityAssessment>`,
  );
}
