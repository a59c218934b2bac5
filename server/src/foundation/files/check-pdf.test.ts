import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPdf } from './check-pdf.ts'

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n')

test('A68 a PDF that takes too long to inspect is refused as too complex, not as damaged, and the next one is inspected', async () => {
  await assert.rejects(checkPdf(pdf, 0), { fault: 'too-complex' })
  await checkPdf(pdf)
})
