/** Operators and authorities: OPERATOR_1 to OPERATOR_7, AUTHORITY_1 to AUTHORITY_5. */
import type { Severity } from '../finding.ts';
import type { Check } from './check.ts';
import { demandChildren, idOf, watchChildren } from './children.ts';
import { defineStructureRule, type Rule } from './rule.ts';

function organisationRule(
  code: string,
  severity: Severity,
  name: string,
  meaning: string,
  example: string,
  mend: string,
): Rule {
  return defineStructureRule({ code, severity, name, meaning, example, mend });
}

const NUMBER = 'Add the CompanyNumber under which the organisation is registered.';
const NAMED = 'Add the Name by which passengers know the organisation.';
const LEGAL = 'Add the LegalName under which the organisation is registered.';

export const OPERATOR_1 = organisationRule(
  ...(['OPERATOR_1', 'INFO', 'Operator missing CompanyNumber', 'Operator without company number'] as const),
  '<Operator …><Name>Bussen</Name>…</Operator> without CompanyNumber',
  NUMBER,
);
export const OPERATOR_2 = organisationRule(
  ...(['OPERATOR_2', 'ERROR', 'Operator missing Name', 'Operator without name'] as const),
  '<Operator …><Name/></Operator>',
  NAMED,
);
export const OPERATOR_3 = organisationRule(
  ...(['OPERATOR_3', 'INFO', 'Operator missing LegalName', 'Operator without legal name'] as const),
  '<Operator …><Name>Bussen</Name>…</Operator> without LegalName',
  LEGAL,
);
export const OPERATOR_4 = organisationRule(
  ...(['OPERATOR_4', 'WARNING', 'Operator missing ContactDetails', 'Operator without contact details'] as const),
  '<Operator …><Name>Bussen</Name>…</Operator> without ContactDetails',
  'Add ContactDetails with an Email, a Phone or a Url.',
);
export const OPERATOR_5 = organisationRule(
  'OPERATOR_5',
  'WARNING',
  'Operator missing Url for ContactDetails',
  'Operator contact details hold none of e-mail, phone, URL',
  '<ContactDetails><Fax>1</Fax></ContactDetails>',
  'Add an Email, a Phone or a Url to the ContactDetails.',
);
export const OPERATOR_6 = organisationRule(
  'OPERATOR_6',
  'WARNING',
  'Operator missing CustomerServiceContactDetails',
  'Operator without customer-service contact details',
  '<Operator …><Name>Bussen</Name>…</Operator> without CustomerServiceContactDetails',
  'Add CustomerServiceContactDetails with the Url where passengers get help.',
);
export const OPERATOR_7 = organisationRule(
  'OPERATOR_7',
  'WARNING',
  'Operator missing Url for CustomerServiceContactDetails',
  'Operator customer-service contact details without URL',
  '<CustomerServiceContactDetails><Phone>177</Phone></CustomerServiceContactDetails>',
  'Add the Url where passengers get help.',
);
export const AUTHORITY_1 = organisationRule(
  ...(['AUTHORITY_1', 'INFO', 'Authority missing CompanyNumber', 'Authority without company number'] as const),
  '<Authority …><Name>Fylket</Name>…</Authority> without CompanyNumber',
  NUMBER,
);
export const AUTHORITY_2 = organisationRule(
  ...(['AUTHORITY_2', 'ERROR', 'Authority missing Name', 'Authority without name'] as const),
  '<Authority …><Name/></Authority>',
  NAMED,
);
export const AUTHORITY_3 = organisationRule(
  ...(['AUTHORITY_3', 'INFO', 'Authority missing LegalName', 'Authority without legal name'] as const),
  '<Authority …><Name>Fylket</Name>…</Authority> without LegalName',
  LEGAL,
);
export const AUTHORITY_4 = organisationRule(
  ...(['AUTHORITY_4', 'ERROR', 'Authority missing ContactDetails', 'Authority without contact details'] as const),
  '<Authority …><Name>Fylket</Name>…</Authority> without ContactDetails',
  'Add ContactDetails with a Url.',
);
export const AUTHORITY_5 = organisationRule(
  'AUTHORITY_5',
  'ERROR',
  'Authority missing Url for ContactDetails',
  'Authority contact URL missing or not starting with http:// or https://',
  '<ContactDetails><Url>www.fylket.no</Url></ContactDetails>',
  'Add the whole Url, with http:// or https:// before it.',
);

const operatorHas = demandChildren({ element: 'Operator', within: 'organisations' }, [
  { rule: OPERATOR_1, child: 'CompanyNumber', filled: true },
  { rule: OPERATOR_2, child: 'Name', filled: true },
  { rule: OPERATOR_3, child: 'LegalName', filled: true },
  { rule: OPERATOR_4, child: 'ContactDetails' },
  { rule: OPERATOR_6, child: 'CustomerServiceContactDetails' },
]);

const authorityHas = demandChildren({ element: 'Authority', within: 'organisations' }, [
  { rule: AUTHORITY_1, child: 'CompanyNumber', filled: true },
  { rule: AUTHORITY_2, child: 'Name', filled: true },
  { rule: AUTHORITY_3, child: 'LegalName', filled: true },
  { rule: AUTHORITY_4, child: 'ContactDetails' },
]);

const customerServiceHas = demandChildren({ element: 'CustomerServiceContactDetails', within: 'Operator' }, [
  { rule: OPERATOR_7, child: 'Url', filled: true },
]);

const operatorContact: Check = {
  rules: [OPERATOR_5],
  begin: (run) =>
    watchChildren({ element: 'ContactDetails', within: 'Operator' }, ['Email', 'Phone', 'Url'], (element, texts) => {
      if ([...texts.values()].some((text) => text.trim() !== '')) return;
      run.report(
        OPERATOR_5,
        element,
        () =>
          `ContactDetails of Operator${element.parent ? idOf(element.parent) : ''} has neither Email nor Phone nor Url; expected one of them.`,
      );
    }),
};

const authorityContact: Check = {
  rules: [AUTHORITY_5],
  begin: (run) =>
    watchChildren({ element: 'ContactDetails', within: 'Authority' }, ['Url'], (element, texts) => {
      const url = texts.get('Url')?.trim();
      if (url !== undefined && /^https?:\/\//.test(url)) return;
      const said = url === undefined ? 'no Url' : `the Url "${url}"`;
      run.report(
        AUTHORITY_5,
        element,
        () =>
          `ContactDetails of Authority${element.parent ? idOf(element.parent) : ''} has ${said}; ` +
          'expected one that begins with http:// or https://.',
      );
    }),
};

export const organisationChecks: readonly Check[] = [
  operatorHas,
  customerServiceHas,
  operatorContact,
  authorityHas,
  authorityContact,
];
