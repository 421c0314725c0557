/** Small NeTEx files for tests of rules: a frame around the few elements of a case. */
import { addFileIds, SEVERAL_FILES } from '../../../netex/dataset/file-ids.ts';
import { IdIndexBuilder } from '../../../netex/dataset/id-index.ts';
import type { FileResult } from '../../../netex/file-result.ts';
import { CommonFactsBuilder } from '../../../netex/model/common-facts.ts';
import { StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import { validateFile } from '../../../netex/validate-file.ts';
import type { NetexFile, ValidationContext } from '../../../netex/validation-context.ts';

export const ABC: ValidationContext = {
  xmlns: 'ABC',
  allowedXmlns: ['NSR', 'PEN'],
  profile: 'timetable',
  dataset: 'timetable',
  stopRegisterXmlns: 'NSR',
};

export const CODESPACES =
  '<codespaces>' +
  '<Codespace id="abc"><Xmlns>ABC</Xmlns><XmlnsUrl>http://www.rutebanken.org/ns/abc</XmlnsUrl></Codespace>' +
  '<Codespace id="nsr"><Xmlns>NSR</Xmlns><XmlnsUrl>http://www.rutebanken.org/ns/nsr</XmlnsUrl></Codespace>' +
  '</codespaces>';

export function delivery(dataObjects: string): string {
  return (
    '<PublicationDelivery xmlns="http://www.netex.org.uk/netex" version="1.13:NO-NeTEx-networktimetable:1.3">' +
    `<dataObjects>${dataObjects}</dataObjects></PublicationDelivery>`
  );
}

export const VALIDITY =
  '<validityConditions><AvailabilityCondition id="ABC:AvailabilityCondition:1" version="1">' +
  '<FromDate>2026-01-01T00:00:00</FromDate></AvailabilityCondition></validityConditions>';

/** Frames inside a CompositeFrame with validity and codespaces. */
export function composite(frames: string, codespaces = CODESPACES, validity = VALIDITY): string {
  return delivery(
    `<CompositeFrame id="ABC:CompositeFrame:1" version="1">${validity}${codespaces}<frames>${frames}</frames></CompositeFrame>`,
  );
}

/** Elements in a frame that no rule of structure reads, inside such a CompositeFrame. */
export function anyFrame(content: string): string {
  return composite(`<ResourceFrame id="ABC:ResourceFrame:1" version="1">${content}</ResourceFrame>`);
}

/** Elements inside a ServiceFrame of such a CompositeFrame. */
export function serviceFrame(content: string): string {
  return composite(`<ServiceFrame id="ABC:ServiceFrame:1" version="1">${content}</ServiceFrame>`);
}

export function file(name: string, xml: string): NetexFile {
  return { name, kind: name.startsWith('_') ? 'common' : 'line', bytes: new TextEncoder().encode(xml) };
}

/** Validates a line file by the rules alone. */
export function validateLine(xml: string, context: Partial<ValidationContext> = {}): FileResult {
  return validateFile(file('ABC_line.xml', xml), { ...ABC, ...context });
}

export function validateCommon(xml: string, context: Partial<ValidationContext> = {}): FileResult {
  return validateFile(file('_ABC_shared_data.xml', xml), { ...ABC, ...context });
}

/** `CODE` or `CODE ×n`, in alphabetical order. `family` limits a case to its own rules. */
export function codesOf(result: Pick<FileResult, 'counts'>, family = /./): string[] {
  return Object.entries(result.counts)
    .filter(([code]) => family.test(code))
    .map(([code, count]) => (count === 1 ? code : `${code} ×${count}`));
}

/** The value of `commonIds` when these are the dataset's common files. */
export function commonIds(...files: NetexFile[]): Uint8Array {
  const builder = new IdIndexBuilder(SEVERAL_FILES);
  for (const common of files) addFileIds(common, builder);
  return builder.build().bytes;
}

/** The value of `commonFacts` when these are the dataset's common files. */
export function commonFacts(...files: NetexFile[]): Uint8Array {
  const facts = new CommonFactsBuilder();
  for (const common of files) addFileIds(common, new IdIndexBuilder(), facts.reader());
  return facts.build();
}

/** The value of `stopRegister` when the register's SiteFrame has this content. */
export function stopRegisterOf(content: string): Uint8Array {
  const reader = new StopRegisterReader();
  reader.addFile(
    file('_stops.xml', delivery(`<SiteFrame id="NSR:SiteFrame:1" version="1">${content}</SiteFrame>`)).bytes,
  );
  return reader.build().bytes;
}

/** A register of quays without details, for cases that only need known quays. */
export function registerOfQuays(...ids: string[]): Uint8Array {
  return stopRegisterOf(`<quays>${ids.map((id) => `<Quay id="${id}" version="1"/>`).join('')}</quays>`);
}
