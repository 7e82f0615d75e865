/**
 * The cover and what the report would lack, said before it is made. Nothing is claimed until somebody has seen this and
 * said that it may be (`asks`).
 */
function readBack() {
  const cover = coverLine($record);
  // What is confirmed is the cover that was shown, not one that was changed since.
  const confirmed = $understood.anyway && (inspection.shown ?? cover) === cover;
  if (!session.pending || confirmed) return { inspection: now };
  const lines = [`The cover will say: ${cover}.`, typeDiffers(), lacks()];
  return {
    asks: true,
    message: lines.filter(Boolean).join('\n'),
    choices: isLate()
      ? [ADD, 'Make a separate report', 'Carry on']
      : outstanding.length > 0
        ? [
            'Finish anyway',
            ...outstanding.slice(0, 4).map((name) => `Skip ${NAMES[name] ?? name}`),
            'Carry on',
          ]
        : ['Make the report', 'Carry on'],
    inspection: { ...now, finishing: true, shown: cover },
  };
}

function lacks() {
  const count = session.pending === 1 ? '1 photograph' : `${session.pending} photographs`;
  if (isLate())
    return `${unreported()} Shall I add ${session.pending === 1 ? 'it' : 'them'} to the report, or make a separate report?`;
  if (outstanding.length === 0)
    return `It is made of ${count}, and nothing is outstanding. Shall I make the report?`;
  return `It is made of ${count} and would not cover: ${inWords(outstanding)}. Send what is there, “skip …” for what is not, or “finish anyway” to make the report without ${outstanding.length === 1 ? 'it' : 'them'}.`;
}

/** Title, address, the number and the postcode that name the file, and the day. */
function coverLine({ address = '', propertyNo, postcode, reportType }) {
  const named = [propertyNo && `number ${propertyNo}`, postcode && `postcode ${postcode}`].filter(Boolean);
  const place = `${address.replace(/\s*\n\s*/g, ', ')}${named.length > 0 ? ` (${named.join(', ')})` : ''}`;
  return [titleOf(reportType), place, ukDay(new Date($now))].filter(Boolean).join(' · ');
}

function titleOf(reportType) {
  const titles = { checkin: 'Check-In', checkout: 'Check-Out', interim: 'Interim' };
  return `${Object.hasOwn(titles, reportType ?? '') ? titles[reportType] : 'Property'} Inspection Report`;
}

/** The record may have been changed beside the chat, and the report goes by it. */
function typeDiffers() {
  const { saidType, reportName } = inspection;
  if (!saidType || saidType === reportName) return undefined;
  return `Please check: here you said ${saidType}, but the record of the inspection says ${reportName}, and the report goes by that. Send “type: ${saidType}” to change it.`;
}

/** The civil day in the UK as the cover prints it. British Summer Time ends and begins at 01:00 UTC on last Sundays. */
function ukDay(now) {
  const lastSunday = (month) => {
    const end = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0, 1));
    return end.getTime() - end.getUTCDay() * 86_400_000;
  };
  const isSummer = now.getTime() >= lastSunday(2) && now.getTime() < lastSunday(9);
  const there = new Date(now.getTime() + (isSummer ? 3_600_000 : 0));
  const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
  return `${there.getUTCDate()} ${months[there.getUTCMonth()]} ${there.getUTCFullYear()}`;
}
