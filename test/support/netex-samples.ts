/** Minimal texts that the archive reader accepts as NeTEx files. */

const NAMESPACE = 'http://www.netex.org.uk/netex';

export function netexFile(content: string, prolog = '<?xml version="1.0" encoding="UTF-8"?>\n'): string {
  return `${prolog}<PublicationDelivery xmlns="${NAMESPACE}" version="1.13:NO-NeTEx-networktimetable:1.3"><PublicationTimestamp>2026-01-01T00:00:00</PublicationTimestamp><ParticipantRef>TST</ParticipantRef><dataObjects>${content}</dataObjects></PublicationDelivery>\n`;
}

/** A line file with one empty line. */
export const LINE_FILE = netexFile(
  '<ServiceFrame version="1" id="TST:ServiceFrame:1"><lines><Line version="1" id="TST:Line:1"><Name>Ring</Name></Line></lines></ServiceFrame>',
);

/** A stop register with one stop place. */
export const STOPS_FILE = netexFile(
  '<SiteFrame version="1" id="NSR:SiteFrame:1"><stopPlaces><StopPlace version="1" id="NSR:StopPlace:1"><Name>Torget</Name></StopPlace></stopPlaces></SiteFrame>',
);
