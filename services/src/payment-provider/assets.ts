import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The typeface of the shop, which shows the card fields in its own page. */
export const font = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource-variable/archivo/files/archivo-latin-wght-normal.woff2'),
)

/** Neutral, in the shop's own colours; light and dark. */
export const css = `
@font-face { font-family: Archivo; font-weight: 100 900; font-display: swap; src: url('/archivo.woff2') format('woff2'); }
:root { color-scheme: light dark; --ink: light-dark(#1a1d24, #f1f0ec); --soft: light-dark(#4a505c, #bfc2c9); --surface: light-dark(#fff, #1c1f26);
  --sunk: light-dark(#f6f4ef, #16181d); --line: light-dark(#85888f, #7d838f); --hair: light-dark(#e2ded5, #333844); --action: light-dark(#2237b4, #94a2ff);
  --action-hover: light-dark(#182885, #b0baff); --action-ink: light-dark(#fff, #10142e); --danger: light-dark(#ad2219, #ff9c8f);
  --danger-soft: light-dark(#fce8e5, #3b1b18); --good: light-dark(#17683f, #7fd6a4); }
* { box-sizing: border-box; }
body { margin: 0; padding: 1rem; background: var(--surface); color: var(--ink); font: 1rem/1.5 Archivo, system-ui, sans-serif; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
main { max-width: 30rem; margin: 0 auto; }
h1 { margin: 0 0 1rem; font-size: 1.25rem; line-height: 1.2; }
p { margin: 0 0 1rem; }
.field { margin-bottom: 1rem; }
label { display: block; margin-bottom: .25rem; font-weight: 600; font-size: .9375rem; }
.hint { color: var(--soft); font-weight: 400; }
input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface);
  color: inherit; font: inherit; font-variant-numeric: tabular-nums; }
input:focus-visible, button:focus-visible, a:focus-visible, summary:focus-visible { outline: 3px solid var(--action); outline-offset: 2px; }
input[aria-invalid='true'] { border-color: var(--danger); border-width: 2px; }
.problem { margin: .25rem 0 0; color: var(--danger); font-size: .875rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
input[type='checkbox'], input[type='radio'] { width: 1.5rem; height: 1.5rem; min-height: 0; margin: 0; accent-color: var(--action); }
.tick { display: grid; grid-template-columns: auto 1fr; gap: .25rem .75rem; align-items: center; margin-bottom: 1rem; }
.tick label { margin: 0; padding: .375rem 0; }
.tick .hint { grid-column: 2; margin: 0; font-size: .875rem; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
legend { margin-bottom: .5rem; padding: 0; font-weight: 600; font-size: .9375rem; }
.tick.card { margin: 0; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 8px; }
.tick.card + .tick.card { margin-top: .5rem; }
.tick.card:has(:checked) { border-color: var(--action); outline: 1px solid var(--action); }
.other > summary { margin-bottom: .75rem; font-size: 1rem; }
button { width: 100%; min-height: 3rem; padding: .625rem 1rem; border: 0; border-radius: 8px; background: var(--action); color: var(--action-ink);
  font: inherit; font-weight: 650; cursor: pointer; }
button:hover { background: var(--action-hover); }
button[aria-busy='true'] { opacity: .65; cursor: progress; }
button.plain { margin-top: .5rem; background: none; color: var(--action); font-weight: 500; }
.alert { margin-bottom: 1rem; padding: .75rem 1rem; border-left: 4px solid var(--danger); border-radius: 4px; background: var(--danger-soft); }
.alert p { margin: .25rem 0 0; }
.secure { display: flex; gap: .5rem; align-items: center; margin: .75rem 0 0; color: var(--soft); font-size: .875rem; }
.secure svg { flex: none; }
.wallets { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem; }
.wallets button, .credits button { border: 1px solid var(--line); background: var(--surface); color: var(--ink); }
.wallets .apple-pay, .wallets .google-pay { border-color: light-dark(#000, #fff); background: light-dark(#000, #fff); color: light-dark(#fff, #000); }
.wallets .paypal { border-color: #ffc439; background: #ffc439; color: #10142e; }
.credits .klarna { border-color: #ffb3c7; background: #ffb3c7; color: #10142e; }
.or { display: flex; align-items: center; gap: .75rem; margin: 1rem 0; color: var(--soft); font-size: .875rem; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--hair); }
.credits { margin-top: 1.25rem; border-top: 1px solid var(--hair); padding-top: .75rem; }
.credits h2 { margin: 0 0 .5rem; font-size: 1rem; }
.credits ul { margin: 0; padding: 0; list-style: none; display: grid; gap: .75rem; }
.credits p { margin: 0 0 .375rem; color: var(--soft); font-size: .875rem; }
.brands { display: flex; gap: .375rem; margin-bottom: 1rem; }
.brands span { padding: .125rem .5rem; border: 1px solid var(--hair); border-radius: 4px; color: var(--soft); font-size: .75rem; font-weight: 600; }
details { margin-top: 1.25rem; border-top: 1px solid var(--hair); padding-top: .75rem; font-size: .875rem; }
summary { min-height: 1.75rem; color: var(--soft); cursor: pointer; }
table { width: 100%; border-collapse: collapse; }
td { padding: .25rem .5rem .25rem 0; border-top: 1px solid var(--hair); vertical-align: top; }
td:first-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
.bank { padding: 1rem; border: 1px solid var(--hair); border-radius: 14px; background: var(--sunk); }
.bank > header { margin-bottom: .75rem; color: var(--soft); font-size: .8125rem; font-weight: 700; letter-spacing: .04em; text-transform: uppercase; }
.sum { font-size: 1.25rem; font-weight: 700; }
.done { color: var(--good); }
a { color: var(--action); }
@media (max-width: 24rem) { .pair { grid-template-columns: 1fr; gap: 0; } }
`

/** Everything works without it: it reports height and completion to the shop's page, groups digits, and prevents double clicks. */
export const script = `
const shop = document.documentElement.dataset.shop
const tell = (message) => { if (parent !== window && shop) parent.postMessage(message, shop) }
const height = () => tell({ type: 'payment.height', height: document.documentElement.offsetHeight })
new ResizeObserver(height).observe(document.body)
if (document.body.dataset.done !== undefined) {
  tell({ type: 'payment.done' })
  if (parent === window) location.replace(document.querySelector('a').href)
}
for (const form of document.forms) form.addEventListener('submit', (event) => {
  if (form.dataset.sent) return event.preventDefault()
  form.dataset.sent = 'yes'
  for (const button of form.querySelectorAll('button')) button.setAttribute('aria-busy', 'true')
})
const number = document.querySelector('input[name=number]')
number?.addEventListener('input', () => {
  const end = number.selectionStart === number.value.length
  if (!end) return
  number.value = number.value.replace(/\\D/g, '').slice(0, 19).replace(/(\\d{4})(?=\\d)/g, '$1 ')
})
const expiry = document.querySelector('input[name=expiry]')
expiry?.addEventListener('input', (event) => {
  if (event.inputType?.startsWith('delete') || expiry.selectionStart !== expiry.value.length) return
  const digits = expiry.value.replace(/\\D/g, '').slice(0, 6)
  if (/^\\d{2}$/.test(expiry.value)) expiry.value = digits + ' / '
})
document.querySelector('[aria-invalid=true], [role=alert]')?.focus()
addEventListener('pageshow', (event) => { if (event.persisted) location.reload() })
`
