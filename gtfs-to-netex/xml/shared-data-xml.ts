/**
 * Writes the common file: organisations, networks, stop points and their quays, displays, calendar. Elements of one
 * line, including its links, are in that line's file. Caller: convert.ts.
 */
import type { XmlWriter } from '../../netex/writing/xml-writer.ts';
import { stopName } from '../timetable/stop-name.ts';
import type { AgencyPlan, Timetable } from '../timetable/timetable.ts';
import { calendarXml } from './calendar-xml.ts';
import { closeDelivery, localeOf, openDelivery } from './delivery-xml.ts';
import type { NetexNames } from './netex-names.ts';

export function* sharedDataXml(timetable: Timetable, names: NetexNames): Generator<string> {
  const xml = openDelivery(timetable, names, 'shared', localeOf(timetable));
  organisationsXml(xml, names, timetable.agencies);
  xml.open('ServiceFrame', names.identity('ServiceFrame', 'shared'));
  networksXml(xml, names, timetable.agencies);
  const points = timetable.pointKeys.flatMap((key, stop) => (key === undefined ? [] : [{ key, stop }]));
  yield* listXml(xml, 'routePoints', points, ({ key }) => routePointXml(xml, names, key));
  yield* listXml(xml, 'destinationDisplays', timetable.displays, (text) => {
    xml.open('DestinationDisplay', names.identity('DestinationDisplay', text));
    xml.text('FrontText', timetable.feed.texts.get(text)).close('DestinationDisplay');
  });
  yield* listXml(xml, 'scheduledStopPoints', points, ({ key, stop }) => {
    xml.open('ScheduledStopPoint', names.identity('ScheduledStopPoint', key));
    xml.text('Name', stopName(timetable.feed, stop)).close('ScheduledStopPoint');
  });
  let order = 0;
  yield* listXml(xml, 'stopAssignments', points, ({ key, stop }) => {
    order++;
    const identity = names.identity('PassengerStopAssignment', key);
    xml.open('PassengerStopAssignment', `order="${order}" ${identity}`);
    xml.empty('ScheduledStopPointRef', names.localRef('ScheduledStopPoint', key));
    xml.empty('QuayRef', names.foreignRef('Quay', timetable.quayKeys[stop] ?? ''));
    xml.close('PassengerStopAssignment');
  });
  xml.close('ServiceFrame');
  calendarXml(xml, names, timetable);
  yield closeDelivery(xml).take();
}

function* listXml<T>(xml: XmlWriter, name: string, items: readonly T[], write: (item: T) => void): Generator<string> {
  if (items.length === 0) return;
  xml.open(name);
  for (const item of items) {
    write(item);
    yield xml.take();
  }
  xml.close(name);
}

/** GTFS does not distinguish authorities from operators: each agency is both. */
function organisationsXml(xml: XmlWriter, names: NetexNames, agencies: readonly AgencyPlan[]): void {
  xml.open('ResourceFrame', names.identity('ResourceFrame', 'shared')).open('organisations');
  for (const kind of ['Authority', 'Operator'] as const) {
    for (const plan of agencies) organisationXml(xml, names, kind, plan);
  }
  xml.close('organisations').close('ResourceFrame');
}

function organisationXml(xml: XmlWriter, names: NetexNames, kind: 'Authority' | 'Operator', plan: AgencyPlan): void {
  const { agency, key, url } = plan;
  xml.open(kind, names.identity(kind, key)).text('Name', agency.name).text('LegalName', agency.name);
  const contact = (name: string): void => {
    xml.open(name).text('Email', agency.email).text('Phone', agency.phone).text('Url', url).close(name);
  };
  xml.open('Locale').text('TimeZone', agency.timeZone).text('DefaultLanguage', agency.language).close('Locale');
  contact('ContactDetails');
  xml.text('OrganisationType', kind.toLowerCase());
  if (kind === 'Operator') contact('CustomerServiceContactDetails');
  xml.close(kind);
}

function networksXml(xml: XmlWriter, names: NetexNames, agencies: readonly AgencyPlan[]): void {
  agencies.forEach(({ key, agency }, index) => {
    if (index === 1) xml.open('additionalNetworks');
    xml.open('Network', names.identity('Network', key)).text('Name', agency.name);
    xml.empty('AuthorityRef', names.localRef('Authority', key)).close('Network');
  });
  if (agencies.length > 1) xml.close('additionalNetworks');
}

function routePointXml(xml: XmlWriter, names: NetexNames, key: string): void {
  xml.open('RoutePoint', names.identity('RoutePoint', key)).open('projections');
  xml.open('PointProjection', names.identity('PointProjection', key));
  xml.empty('ProjectToPointRef', names.localRef('ScheduledStopPoint', key));
  xml.close('PointProjection').close('projections').close('RoutePoint');
}
