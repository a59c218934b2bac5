import { markets, type Language } from '@purlin/contract/markets.ts'
import { wordsFor, type Words } from '@purlin/words/catalogues.ts'
import { settings } from '#platform'
import { escapeHtml as e } from './escape-html.ts'
import type { MailBlock, MailContent, MailSite, RenderedMail } from './mail.ts'

/** Logo, blocks and the operator's identity, as HTML and as plain text. */
export function renderLayout({ subject, preview, blocks }: MailContent, { market, origin }: MailSite): RenderedMail {
  const { language } = markets[market]
  const t = wordsFor(market)
  const { name, address, register, vatNumber, email, phone } = settings().operator
  const identity = [name, address.join(', '), register, vatNumber, email, phone].filter(Boolean)
  // Names and titles of others stand in subjects, and a line break would end the header.
  const line = subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return {
    subject: line,
    text: `${[...blocks.map((block) => plain(block, t)), ['-- ', ...identity].join('\n')].join('\n\n')}\n`,
    html: page({ language, subject: line, preview, origin, body: blocks.map(html).join('\n'), identity }),
  }
}

function plain(block: MailBlock, t: Words): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'quiet':
      return block.lines.join('\n')
    case 'button':
      return t('mail.line', { label: block.label, value: block.url })
    case 'items':
      return [
        block.title,
        ...(block.note ? [`  ${block.note}`] : []),
        ...block.items.map(({ quantity, title, amount }) => `  ${t('mail.line', { label: `${quantity} × ${title}`, value: amount })}`),
        `  ${block.delivery}`,
      ].join('\n')
    case 'totals':
      return block.rows.map(([label, amount]) => t('mail.line', { label, value: amount })).join('\n')
    case 'columns':
      return block.columns.map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join('\n')).join('\n\n')
    case 'small-print':
      return [
        t('mail.line', { label: block.title, value: block.url }),
        ...block.parts.map(({ kind, text }) => (kind === 'heading' ? `\n${text}\n` : kind === 'item' ? `  • ${text}` : text)),
      ].join('\n')
  }
}

const quiet = 'color:#4a505c;font-size:14px'
const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0"'

/** Tables and inline styles, which mail clients support. */
function html(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
      return `<p style="margin:0 0 16px">${e(block.text)}</p>`
    case 'quiet':
      return `<p style="margin:0 0 16px;${quiet}">${block.lines.map(e).join('<br>')}</p>`
    case 'button':
      return `<p style="margin:8px 0 24px"><a href="${e(block.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2237b4;color:#ffffff;font-weight:bold;text-decoration:none">${e(block.label)}</a></p>`
    case 'items':
      return itemsHtml(block)
    case 'totals':
      return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:16px 0">${block.rows
        .map(([label, amount], index) => {
          const style = index === block.rows.length - 1 ? 'padding:8px 0;font-weight:bold;border-top:1px solid #e2ded5' : 'padding:2px 0'
          return `<tr><td style="${style}">${e(label)}</td><td align="right" style="${style};white-space:nowrap">${e(amount)}</td></tr>`
        })
        .join('')}</table>`
    case 'columns':
      return `<table ${table} style="margin:0 0 24px;font-size:14px"><tr>${block.columns
        .map(
          ({ title, lines }) =>
            `<td valign="top" style="padding:0 16px 0 0;width:${Math.floor(100 / block.columns.length)}%"><b>${e(title)}</b><br>${lines.map(e).join('<br>')}</td>`,
        )
        .join('')}</tr></table>`
    case 'small-print':
      return `<h2 style="margin:24px 0 8px;padding-top:16px;border-top:1px solid #e2ded5;font-size:16px"><a href="${e(block.url)}" style="color:#2237b4">${e(block.title)}</a></h2>${block.parts
        .map(({ kind, text }) =>
          kind === 'heading'
            ? `<h3 style="margin:12px 0 4px;font-size:14px">${e(text)}</h3>`
            : `<p style="margin:0 0 8px;${quiet}">${kind === 'item' ? '• ' : ''}${e(text)}</p>`,
        )
        .join('')}`
  }
}

function itemsHtml({ title, note, delivery, items }: Extract<MailBlock, { kind: 'items' }>): string {
  const rows = items.map(({ title: name, quantity, amount, picture }) => {
    const image = picture
      ? `<img src="${e(picture)}" width="56" height="56" alt="" style="display:block;width:56px;height:56px;border:0;border-radius:8px;background:#f6f4ef">`
      : ''
    return `<tr><td width="68" valign="top" style="padding:6px 12px 6px 0">${image}</td><td valign="top" style="padding:6px 12px 6px 0">${quantity} × ${e(name)}</td><td align="right" valign="top" style="padding:6px 0;white-space:nowrap">${e(amount)}</td></tr>`
  })
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 8px"><tr><td colspan="3" style="padding:12px 0 4px"><b>${e(title)}</b>${note ? `<br><span style="${quiet}">${e(note)}</span>` : ''}</td></tr>${rows.join('')}<tr><td colspan="3" style="padding:0 0 4px;${quiet}">${e(delivery)}</td></tr></table>`
}

interface Page {
  language: Language
  subject: string
  preview: string
  origin: string
  body: string
  identity: readonly string[]
}

/** The logo is drawn with table cells and borders: it needs no picture, which many mail clients block. */
function page({ language, subject, preview, origin, body, identity }: Page): string {
  const mark = `<table role="presentation" cellpadding="0" cellspacing="0"><tr><td align="center" width="34" height="34" style="width:34px;height:34px;border-radius:7px;background:#2237b4;font-size:0;line-height:0"><div style="width:0;height:0;margin:0 auto;border-left:11px solid transparent;border-right:11px solid transparent;border-bottom:9px solid #ffffff"></div><div style="width:9px;height:9px;margin:1px auto 0;background:#f2ae3d"></div></td></tr></table>`
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${e(subject)}</title></head>
<body style="margin:0;background:#f6f4ef;color:#1a1d24;font:16px/1.5 Helvetica,Arial,sans-serif"><div style="display:none;max-height:0;overflow:hidden">${e(preview)}</div>
<table ${table}><tr><td align="center" style="padding:24px 12px">
<table ${table} style="max-width:600px;background:#ffffff;border-radius:14px"><tr><td style="padding:24px 28px;overflow-wrap:anywhere">
<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr><td style="padding:0 10px 0 0">${mark}</td><td><a href="${e(origin)}/" style="color:#2237b4;font-size:22px;font-weight:bold;text-decoration:none">Purlin</a></td></tr></table>
${body}</td></tr></table>
<table ${table} style="max-width:600px"><tr><td style="padding:16px 28px;color:#4a505c;font-size:12px">${identity.map(e).join('<br>')}</td></tr></table>
</td></tr></table></body></html>`
}
