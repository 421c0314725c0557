/** Valid documents for tests that break them in one place, and the check of them. */
import { type SchemaDefect, type SchemaOutcome, SchemaSet } from '../../../netex/schema/index.ts';
import { decodeXml } from '../../../netex/xml/decode.ts';
import { Scanner } from '../../../netex/xml/scan.ts';
import { xsdDirectory } from '../../support/folders.ts';
import { SCHEMA_IMAGES } from '../../support/schema-images.ts';

/** The version of most shared data: compiled once for all tests of a process. */
export const VERSION = '1.13';

/** A delivery whose XML declaration, root, timestamp, participant and dataObjects are on separate lines. */
export function validDelivery(dataObjects: string, root = ''): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<PublicationDelivery xmlns="http://www.netex.org.uk/netex" xmlns:gml="http://www.opengis.net/gml/3.2" version="${VERSION}:NO-NeTEx-networktimetable:1.3"${root}>`,
    '<PublicationTimestamp>2026-03-29T12:00:00</PublicationTimestamp>',
    '<ParticipantRef>ABC</ParticipantRef>',
    `<dataObjects>${dataObjects}</dataObjects>`,
    '</PublicationDelivery>',
  ].join('\n');
}

export function resourceFrame(members: string): string {
  return validDelivery(`<ResourceFrame id="ABC:ResourceFrame:1" version="1">${members}</ResourceFrame>`);
}

export function serviceFrame(members: string): string {
  return validDelivery(`<ServiceFrame id="ABC:ServiceFrame:1" version="1">${members}</ServiceFrame>`);
}

export function line(id: string, inside = '<Name>Line</Name>'): string {
  return `<Line id="${id}" version="1">${inside}</Line>`;
}

let schemas: SchemaSet | undefined;

export function openSchemas(): SchemaSet {
  schemas ??= SchemaSet.open(xsdDirectory(), { imageDirectory: SCHEMA_IMAGES });
  return schemas;
}

export function checkText(document: string | Uint8Array): SchemaOutcome {
  return openSchemas().check(typeof document === 'string' ? Buffer.from(document) : document);
}

export function constraintDefects(document: string, version = VERSION): SchemaDefect[] {
  const defects: SchemaDefect[] = [];
  const listener = openSchemas().createConstraintListener(version, (defect) => defects.push(defect));
  const scanner = new Scanner(listener);
  for (const text of decodeXml(Buffer.from(document))) scanner.write(text);
  scanner.close();
  listener.finish();
  return defects;
}
