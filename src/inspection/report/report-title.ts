/** The cover title that `meta.reportType` selects; any other value gives the neutral one (description 2.3). */
export function reportTitle(reportType: string | undefined): string {
  switch (reportType) {
    case 'checkin':
      return 'Check-In Inspection Report';
    case 'checkout':
      return 'Check-Out Inspection Report';
    case 'interim':
      return 'Interim Inspection Report';
    default:
      return 'Property Inspection Report';
  }
}
