/**
 * Writes authorities, operators, networks with their groups of lines, and notices of the demo region. Callers: the
 * common file.
 */
import { identity, localRef, type XmlWriter } from './xml-writer.ts';

interface Organisation {
  readonly key: string;
  readonly name: string;
  readonly companyNumber: string;
  readonly site: string;
}

/** The organisation register grants the demo's codespace the same authorities. */
export const AUTHORITIES: readonly Organisation[] = [
  { key: 'Kysten', name: 'Kollektivkysten', companyNumber: '999000001', site: 'kollektivkysten' },
  { key: 'Langrute', name: 'Langruteselskapet', companyNumber: '999000002', site: 'langrute' },
];
const OPERATORS: readonly Organisation[] = [
  { key: 'Nordhamn-Bybuss', name: 'Nordhamn Bybuss', companyNumber: '999000011', site: 'nordhamn-bybuss' },
  { key: 'Fjordtrafikk', name: 'Fjordtrafikk', companyNumber: '999000012', site: 'fjordtrafikk' },
  { key: 'Kystbanen', name: 'Kystbanen', companyNumber: '999000013', site: 'kystbanen' },
  { key: 'Skjergardsferga', name: 'Skjergardsferga', companyNumber: '999000014', site: 'skjergardsferga' },
  { key: 'Ekspressen-Nord', name: 'Ekspressen Nord', companyNumber: '999000015', site: 'ekspressen-nord' },
];
const NETWORKS = [
  {
    key: 'Kysten',
    name: 'Nordhamn og omland',
    groups: { Bybuss: 'Bybuss Nordhamn', Trikk: 'Trikken', Region: 'Regionbuss', Ferje: 'Ferje og hurtigbåt' },
  },
  { key: 'Langrute', name: 'Tog og ekspress', groups: { Tog: 'Kystbanen', Ekspress: 'Ekspressbuss' } },
];
/** Notices by number. Those for visitors have an English text beside the Norwegian one. */
const NOTICES: readonly { readonly text: string; readonly english?: string }[] = [
  { text: 'Billett kjøpes før reisen.', english: 'Buy your ticket before you travel.' },
  { text: 'Sykkel tas med mot tillegg når det er plass.', english: 'Bicycles at extra charge if there is room.' },
  { text: 'Kjører bare på skoledager.' },
  { text: 'Må bestilles på forhånd.', english: 'Must be booked in advance.' },
  { text: 'Møt fram ti minutter før avgang.' },
  { text: 'Toget har kafé.', english: 'Café on board.' },
];

export function organisationsXml(xml: XmlWriter): void {
  xml.open('ResourceFrame', identity('ResourceFrame', 'shared')).open('organisations');
  for (const authority of AUTHORITIES) organisationXml(xml, 'Authority', authority);
  for (const operator of OPERATORS) organisationXml(xml, 'Operator', operator);
  xml.close('organisations').close('ResourceFrame');
}

function organisationXml(xml: XmlWriter, kind: 'Authority' | 'Operator', organisation: Organisation): void {
  xml.open(kind, identity(kind, organisation.key)).text('CompanyNumber', organisation.companyNumber);
  xml.text('Name', organisation.name).text('LegalName', `${organisation.name} AS`);
  contactXml(xml, 'ContactDetails', organisation);
  xml.text('OrganisationType', kind.toLowerCase());
  if (kind === 'Operator') contactXml(xml, 'CustomerServiceContactDetails', organisation);
  xml.close(kind);
}

function contactXml(xml: XmlWriter, name: string, { site }: Organisation): void {
  xml.open(name).text('Email', `post@${site}.example`).text('Phone', '+47 00 00 00 00');
  xml.text('Url', `https://www.${site}.example`).close(name);
}

export function networkXml(xml: XmlWriter): void {
  NETWORKS.forEach((network, index) => {
    if (index === 1) xml.open('additionalNetworks');
    xml.open('Network', identity('Network', network.key)).text('Name', network.name);
    xml.empty('AuthorityRef', localRef('Authority', network.key)).open('groupsOfLines');
    for (const [key, name] of Object.entries(network.groups)) {
      xml.open('GroupOfLines', identity('GroupOfLines', key)).text('Name', name).close('GroupOfLines');
    }
    xml.close('groupsOfLines').close('Network');
    if (index === NETWORKS.length - 1 && index > 0) xml.close('additionalNetworks');
  });
}

export function noticesXml(xml: XmlWriter): void {
  xml.open('notices');
  NOTICES.forEach(({ text, english }, index) => {
    const number = index + 1;
    xml.open('Notice', identity('Notice', number));
    if (english) {
      xml.open('alternativeTexts');
      xml.open('AlternativeText', `attributeName="Text" ${identity('AlternativeText', number)}`);
      xml.text('Text', english, 'lang="en"').close('AlternativeText').close('alternativeTexts');
    }
    xml
      .text('Text', text, 'lang="no"')
      .text('PublicCode', String.fromCharCode(96 + number))
      .close('Notice');
  });
  xml.close('notices');
}
