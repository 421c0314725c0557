/** Rows of the catalogue for lines.ts. */
import { lineFileRule } from './rule.ts';

export const LINE_1 = lineFileRule(
  'LINE_1',
  'ERROR',
  'Line - exactly one Line or FlexibleLine',
  'A line file must define exactly one Line or FlexibleLine',
  '<lines><Line id="ABC:Line:1" …/><Line id="ABC:Line:2" …/></lines>',
  'Write one file per line.',
);
export const LINE_2 = lineFileRule(
  'LINE_2',
  'ERROR',
  'Line missing Name',
  'Line without name (or blank)',
  '<Line id="ABC:Line:1" version="1"><TransportMode>bus</TransportMode>…</Line> without Name',
  'Add the Name by which passengers know the line.',
);
export const LINE_3 = lineFileRule(
  'LINE_3',
  'WARNING',
  'Line missing PublicCode',
  'Line without public code',
  '<Line id="ABC:Line:1" version="1"><Name>Ringen</Name>…</Line> without PublicCode',
  'Add the PublicCode that is shown on vehicles and signs.',
);
export const LINE_4 = lineFileRule(
  'LINE_4',
  'ERROR',
  'Line missing TransportMode',
  'Line without transport mode',
  '<Line id="ABC:Line:1" version="1"><Name>Ringen</Name><PublicCode>1</PublicCode>…</Line> without TransportMode',
  'Add the TransportMode, e.g. bus.',
);
export const LINE_5 = lineFileRule(
  'LINE_5',
  'WARNING',
  'Line missing TransportSubmode',
  'Line without transport submode',
  '<Line …><TransportMode>bus</TransportMode>…</Line> without TransportSubmode',
  'Add the TransportSubmode, e.g. <TransportSubmode><BusSubmode>localBus</BusSubmode></TransportSubmode>.',
);
export const LINE_6 = lineFileRule(
  'LINE_6',
  'ERROR',
  'Line with incorrect use of Route',
  'Routes nested inside a line',
  '<Line …><routes><Route …/></routes></Line>',
  'Move the routes into the routes of the ServiceFrame.',
);
export const LINE_7 = lineFileRule(
  'LINE_7',
  'ERROR',
  'Line missing Network or GroupOfLines',
  'Line not tied to a network or group of lines',
  '<Line id="ABC:Line:1" version="1"><Name>Ringen</Name>…</Line> without RepresentedByGroupRef',
  'Add a RepresentedByGroupRef to the Network or GroupOfLines of the common file.',
);
export const LINE_8 = lineFileRule(
  'LINE_8',
  'WARNING',
  'Invalid color coding length on Presentation',
  'Line colour is not 6 characters long',
  '<Presentation><Colour>FFF</Colour></Presentation>',
  'Write the colour as six hexadecimal digits without #, e.g. FF8800.',
);
export const LINE_9 = lineFileRule(
  'LINE_9',
  'WARNING',
  'Invalid color coding value on Presentation',
  'Line colour is not hexadecimal',
  '<Presentation><Colour>orange</Colour></Presentation>',
  'Write the colour as six hexadecimal digits without #, e.g. FF8800.',
);
export const FLEXIBLE_LINE_1 = lineFileRule(
  'FLEXIBLE_LINE_1',
  'ERROR',
  'FlexibleLine missing FlexibleLineType',
  'Flexible line without type',
  '<FlexibleLine id="ABC:FlexibleLine:1" version="1"><Name>Bestillingsbussen</Name>…</FlexibleLine> without FlexibleLineType',
  'Add the FlexibleLineType, e.g. flexibleAreasOnly.',
);
export const FLEXIBLE_LINE_10 = lineFileRule(
  'FLEXIBLE_LINE_10',
  'WARNING',
  'FlexibleLine illegal use of both BookWhen and MinimumBookingPeriod',
  'Flexible line gives both BookWhen and MinimumBookingPeriod',
  '<BookWhen>dayOfTravelOnly</BookWhen><MinimumBookingPeriod>PT2H</MinimumBookingPeriod>',
  'Keep the one that the booking goes by.',
);
export const FLEXIBLE_LINE_11 = lineFileRule(
  'FLEXIBLE_LINE_11',
  'WARNING',
  'FlexibleLine BookWhen without LatestBookingTime or LatestBookingTime without BookWhen',
  'On a flexible line BookWhen and LatestBookingTime must appear together',
  '<FlexibleLine …><BookWhen>untilPreviousDay</BookWhen></FlexibleLine>',
  'Add the one that is missing.',
);
