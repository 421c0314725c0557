/** Parts for both halves of a line's file: ids, accessibility, booking. Callers: line-xml.ts, journeys-xml.ts. */
import type { Booking, Line, LineSpec, Region } from './model.ts';
import { identity, type XmlWriter } from './xml-writer.ts';

/** Context of every part of a line's file. */
export interface LineFile {
  readonly region: Region;
  readonly line: Line;
  /** Number of the copy, from 1. */
  readonly copy: number;
  /** First part of every id in the file. */
  readonly key: string;
}

export function lineKey(line: Line, copy: number): string {
  return copy === 1 ? String(line.spec.number) : `${line.spec.number}x${copy}`;
}

export function lineKind(spec: LineSpec): 'Line' | 'FlexibleLine' {
  return spec.flexible ? 'FlexibleLine' : 'Line';
}

export function accessibilityXml(xml: XmlWriter, local: string, wheelchair: string): void {
  xml.line(
    `<AccessibilityAssessment ${identity('AccessibilityAssessment', local)}>` +
      `<MobilityImpairedAccess>${wheelchair}</MobilityImpairedAccess><limitations><AccessibilityLimitation>` +
      `<WheelchairAccess>${wheelchair}</WheelchairAccess></AccessibilityLimitation></limitations></AccessibilityAssessment>`,
  );
}

export function bookingXml(xml: XmlWriter, booking: Booking): void {
  xml.open('BookingContact').text('Phone', '+47 00 00 00 01').text('Url', 'https://www.fjordtrafikk.example/bestill');
  xml.close('BookingContact').text('BookingMethods', 'callOffice online').text('BookingAccess', 'public');
  xml.text('BookWhen', booking.bookWhen).text('BuyWhen', 'beforeBoarding');
  xml.text('LatestBookingTime', booking.latestBookingTime).text('MinimumBookingPeriod', booking.minimumBookingPeriod);
  xml.text('BookingNote', booking.note, 'lang="no"');
}
