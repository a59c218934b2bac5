-- Compressing the texts of law in each mail was half the time of storing it; bodies are cleared after a month.
alter table mail.mail alter column body_text set storage external, alter column body_html set storage external;
