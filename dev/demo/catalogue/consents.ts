/** What customers of the demo are asked to consent to. Callers: demo-catalogue.ts. */
import type { ConsentDefinition } from '../../../activities/shared/catalogue.ts';
import { FJORDBUSS } from './channels.ts';
import { texts } from './texts.ts';

export const CONSENTS: readonly ConsentDefinition[] = [
  {
    consentCode: 'TERMS_OF_USE',
    version: 1,
    terms: texts(
      'Jeg godtar vilkårene for bruk av tjenesten.',
      'I accept the terms of use of the service.',
      'Eg godtek vilkåra for bruk av tenesta.',
    ),
  },
  {
    consentCode: 'TERMS_OF_USE',
    version: 2,
    terms: texts(
      'Jeg godtar vilkårene for bruk av tjenesten og reglene for billetter på telefon.',
      'I accept the terms of use of the service and the rules for tickets on a phone.',
      'Eg godtek vilkåra for bruk av tenesta og reglane for billettar på telefon.',
    ),
  },
  {
    consentCode: 'NEWSLETTER',
    version: 1,
    terms: texts(
      'Jeg vil ha nyheter om ruter og tilbud på e-post.',
      'I want to receive news of lines and offers by e-mail.',
      'Eg vil ha nyheiter om ruter og tilbod på e-post.',
    ),
  },
  {
    consentCode: 'TRAVEL_STATISTICS',
    version: 1,
    terms: texts(
      'Reisene mine kan brukes til statistikk der ingen kan kjenne meg igjen.',
      'My journeys may be used for statistics in which nobody can recognise me.',
      'Reisene mine kan brukast til statistikk der ingen kan kjenne meg att.',
    ),
  },
  {
    consentCode: 'FJORDBUSS_CLUB',
    version: 1,
    terms: texts(
      'Fjordbuss kan samle reisene mine for å gi meg fordeler i kundeklubben.',
      'Fjordbuss may collect my journeys to give me benefits of its club.',
      'Fjordbuss kan samle reisene mine for å gje meg fordelar i kundeklubben.',
    ),
    ownerOrganisationId: FJORDBUSS,
  },
];
