import { markets, type Market } from '@purlin/contract/markets.ts'
import { spreadsheetCell } from '@purlin/contract/spreadsheet-cell.ts'

/** "12.90", from minor units. */
export function decimal(minor: number): string {
  const size = String(Math.abs(minor)).padStart(3, '0')
  return `${minor < 0 ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`
}

/** "12.905": the price of one, from minor units with a fraction. */
export function unitDecimal(minor: number, decimals = 3): string {
  return (minor / 100).toFixed(decimals)
}

const hasDecimalComma = (market: Market): boolean => markets[market].currency === 'EUR'

/** "12,90" or "12.90", as the spreadsheets of a market read an amount. Minor units. */
export function spreadsheetAmount(market: Market, minor: number): string {
  return hasDecimalComma(market) ? decimal(minor).replace('.', ',') : decimal(minor)
}

/** A line of CSV as the spreadsheets of a market read it. */
export function spreadsheetLine(market: Market, cells: readonly string[]): string {
  return `${cells.map(spreadsheetCell).join(hasDecimalComma(market) ? ';' : ',')}\r\n`
}
