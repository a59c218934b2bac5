/** VAT numbers in their country's format, shown next to the field. */
export const vatExamples: Readonly<Record<string, string>> = {
  GB: 'GB123456789',
  FR: 'FR12345678901',
  DE: 'DE123456789',
  ES: 'ESB12345678',
  IT: 'IT12345678901',
}
