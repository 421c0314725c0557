/**
 * Writes stop places, quays, path links and tariff zones as a SiteFrame, within the dataset or alone as a stop
 * register. Caller: convert.ts.
 */
import type { XmlWriter } from '../../netex/writing/xml-writer.ts';
import { IdNames } from '../timetable/id-names.ts';
import { stopPlaceType } from '../timetable/modes.ts';
import { stopName } from '../timetable/stop-name.ts';
import type { PathLink, QuayPlan, StopPlacePlan, Timetable } from '../timetable/timetable.ts';
import { accessibilityXml } from './accessibility-xml.ts';
import { closeDelivery, codespacesXml, localeOf, localeXml, openDelivery, openPublication } from './delivery-xml.ts';
import type { NetexNames } from './netex-names.ts';

export function* datasetStopsXml(timetable: Timetable, names: NetexNames): Generator<string> {
  const xml = openDelivery(timetable, names, 'stops', localeOf(timetable));
  xml.open('SiteFrame', names.identity('SiteFrame', 'stops'));
  yield* new StopsXml(timetable, names).write(xml);
  yield closeDelivery(xml.close('SiteFrame')).take();
}

export function* stopRegisterXml(timetable: Timetable, names: NetexNames): Generator<string> {
  const xml = openPublication(timetable, names, 'stops');
  xml.open('SiteFrame', names.identity('SiteFrame', 'stops'));
  codespacesXml(xml, [names.prefix]);
  localeXml(xml, localeOf(timetable));
  yield* new StopsXml(timetable, names).write(xml);
  yield xml.close('SiteFrame').close('dataObjects').close('PublicationDelivery').take();
}

class StopsXml {
  readonly #timetable: Timetable;
  readonly #names: NetexNames;
  /** Last parts of ids, by zone. */
  readonly #zones = new Map<string, string>();

  constructor(timetable: Timetable, names: NetexNames) {
    this.#timetable = timetable;
    this.#names = names;
    const zoneNames = new IdNames('stops');
    for (const { zoneId } of timetable.feed.stops) {
      if (zoneId !== undefined && !this.#zones.has(zoneId)) this.#zones.set(zoneId, zoneNames.take(zoneId));
    }
  }

  *write(xml: XmlWriter): Generator<string> {
    const { stopPlaces, pathLinks } = this.#timetable;
    xml.open('stopPlaces');
    for (const place of stopPlaces) {
      this.#placeXml(xml, place);
      yield xml.take();
    }
    xml.close('stopPlaces');
    if (pathLinks.length > 0) {
      xml.open('pathLinks');
      for (const link of pathLinks) this.#linkXml(xml, link);
      xml.close('pathLinks');
    }
    if (this.#zones.size > 0) this.#zonesXml(xml);
    yield xml.take();
  }

  #placeXml(xml: XmlWriter, place: StopPlacePlan): void {
    const stop = this.#timetable.feed.stops[place.stop];
    xml.open('StopPlace', this.#names.identity('StopPlace', place.key));
    if (place.isParent) {
      xml.open('keyList').open('KeyValue').text('Key', 'IS_PARENT_STOP_PLACE').text('Value', 'true');
      xml.close('KeyValue').close('keyList');
    }
    xml.text('Name', stopName(this.#timetable.feed, place.stop)).text('Description', stop?.description);
    centroidXml(xml, place);
    xml.text('Url', stop?.url);
    accessibilityXml(xml, this.#names, `place-${place.key}`, stop?.wheelchair ?? 0);
    if (stop?.timeZone !== undefined) xml.open('Locale').text('TimeZone', stop.timeZone).close('Locale');
    if (place.parentKey !== undefined) xml.empty('ParentSiteRef', this.#names.localRef('StopPlace', place.parentKey));
    xml.text('TransportMode', place.mode);
    this.#zoneRefsXml(xml, place);
    xml.text('StopPlaceType', stopPlaceType(place.mode));
    if (place.quays.length > 0) {
      xml.open('quays');
      for (const quay of place.quays) this.#quayXml(xml, quay, place);
      xml.close('quays');
    }
    xml.close('StopPlace');
  }

  /** Zones of all the place's stops together. */
  #zoneRefsXml(xml: XmlWriter, place: StopPlacePlan): void {
    const { stops } = this.#timetable.feed;
    const zones = new Set([place.stop, ...place.quays.map((quay) => quay.stop)].map((stop) => stops[stop]?.zoneId));
    const keys = [...zones].flatMap((zone) => (zone === undefined ? [] : [this.#zones.get(zone) ?? '']));
    if (keys.length === 0) return;
    xml.open('tariffZones');
    for (const key of keys) xml.empty('TariffZoneRef', this.#names.localRef('TariffZone', key));
    xml.close('tariffZones');
  }

  /** Writes a name only when it differs from the place's. */
  #quayXml(xml: XmlWriter, quay: QuayPlan, place: StopPlacePlan): void {
    const { feed } = this.#timetable;
    const stop = feed.stops[quay.stop];
    const isPlace = quay.stop === place.stop;
    const name = stopName(feed, quay.stop);
    xml.open('Quay', this.#names.identity('Quay', quay.key));
    if (!isPlace && name !== stopName(feed, place.stop)) xml.text('Name', name);
    if (!isPlace) xml.text('Description', stop?.description);
    xml.text('PrivateCode', stop?.code);
    centroidXml(xml, quay);
    if (!isPlace) accessibilityXml(xml, this.#names, `quay-${quay.key}`, stop?.wheelchair ?? 0);
    xml.text('PublicCode', stop?.platformCode).close('Quay');
  }

  #linkXml(xml: XmlWriter, link: PathLink): void {
    const place = (end: string): string => `ref="${this.#names.prefix}:${end}" version="1"`;
    xml.open('PathLink', this.#names.identity('PathLink', link.key)).text('Distance', link.metres);
    xml.open('From').empty('PlaceRef', place(link.from)).close('From');
    xml.open('To').empty('PlaceRef', place(link.to)).close('To');
    xml.text('AllowedUse', link.isBothWays ? 'twoWay' : 'oneWay');
    xml.open('TransferDuration').text('DefaultDuration', `PT${link.seconds}S`).close('TransferDuration');
    xml.close('PathLink');
  }

  #zonesXml(xml: XmlWriter): void {
    xml.open('tariffZones');
    for (const [zone, key] of this.#zones) {
      xml.open('TariffZone', this.#names.identity('TariffZone', key)).text('Name', zone).close('TariffZone');
    }
    xml.close('tariffZones');
  }
}

function centroidXml(xml: XmlWriter, { latitude, longitude }: { latitude: number; longitude: number }): void {
  if (Number.isNaN(latitude) || Number.isNaN(longitude)) return;
  xml.line(
    `<Centroid><Location><Longitude>${longitude.toFixed(6)}</Longitude><Latitude>${latitude.toFixed(6)}</Latitude></Location></Centroid>`,
  );
}
