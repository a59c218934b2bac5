import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readData } from './grammar.ts'
import { sellers } from './sellers.ts'
import { inventVatNumber } from './vat-number.ts'

const digitsOf = (text: string) => [...text].map(Number)
const weighted = (text: string, weights: number[]) => weights.reduce((sum, weight, i) => sum + weight * Number(text[i]), 0)
const luhn = (text: string) =>
  digitsOf(text)
    .toReversed()
    .reduce((sum, digit, i) => sum + (i % 2 ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit), 0) %
    10 ===
  0

/** The rules as published by the countries, written independently of the code that generates the numbers. */
const isValid: Record<string, (body: string) => boolean> = {
  FR: (body) => /^\d{11}$/.test(body) && luhn(body.slice(2)) && Number(`${body.slice(2)}12`) % 97 === Number(body.slice(0, 2)),
  DE: (body) => {
    let rest = 10
    for (const digit of digitsOf(body.slice(0, 8))) rest = (((digit + rest) % 10 || 10) * 2) % 11
    return /^[1-9]\d{8}$/.test(body) && (11 - rest) % 10 === Number(body[8])
  },
  ES: (body) => {
    const even = Number(body[2]) + Number(body[4]) + Number(body[6])
    const odd = [1, 3, 5, 7].reduce((sum, i) => sum + digitsOf(String(2 * Number(body[i]))).reduce((a, b) => a + b, 0), 0)
    return /^[A-H]\d{8}$/.test(body) && (10 - ((even + odd) % 10)) % 10 === Number(body[8])
  },
  IT: (body) => /^\d{11}$/.test(body) && luhn(body),
  GB: (body) =>
    /^\d{9}$/.test(body) && [0, 55].some((more) => (weighted(body, [8, 7, 6, 5, 4, 3, 2]) + Number(body.slice(7)) + more) % 97 === 0),
  BE: (body) => /^[01]\d{9}$/.test(body) && 97 - (Number(body.slice(0, 8)) % 97) === Number(body.slice(8)),
  PL: (body) => /^\d{10}$/.test(body) && weighted(body, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(body[9]),
  NL: (body) => /^\d{9}B\d\d$/.test(body) && weighted(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11 === Number(body[8]),
}

test('this test’s rules accept known numbers and refuse one wrong digit', () => {
  const known: Record<string, string> = {
    FR: '83404833048',
    DE: '136695976',
    ES: 'B12345674',
    IT: '00743110157',
    GB: '980780684',
    BE: '0428759497',
    PL: '8567346215',
    NL: '010000446B01',
  }
  for (const [country, body] of Object.entries(known)) {
    assert.ok(isValid[country]?.(body), `${country}${body}`)
    const wrong = body.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
    if (country !== 'NL') assert.ok(!isValid[country]?.(wrong), `${country}${wrong}`)
  }
})

test('the sellers’ VAT numbers pass their country’s check rule and the reference pattern', () => {
  const { markets } = readData<{ markets: Record<string, { country: string; vat_no: { regex: string } }> }>('reference.json')
  const patterns = new Map(Object.values(markets).map(({ country, vat_no }) => [country, new RegExp(vat_no.regex)]))
  for (const { vatNumber, country, name } of sellers) {
    assert.equal(vatNumber.slice(0, 2), country)
    assert.ok(isValid[country]?.(vatNumber.slice(2)), `${name}: ${vatNumber}`)
    assert.match(vatNumber, patterns.get(country) ?? /./)
  }
  assert.equal(new Set(sellers.map(({ vatNumber }) => vatNumber)).size, sellers.length)
})

test('any invented number passes its rule', () => {
  for (const country of Object.keys(isValid)) {
    for (let number = 0; number < 300; number += 1) {
      const made = inventVatNumber(country, number * 31)
      assert.ok(isValid[country]?.(made.slice(2)), made)
    }
  }
  assert.throws(() => inventVatNumber('US', 1), RangeError)
})
