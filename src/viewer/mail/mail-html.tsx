import type { MailContent } from "./mail-content.ts";

const FONT = "font-family:Arial,Helvetica,sans-serif;";
const SMALL = "margin:24px 0 0;font-size:13px;line-height:20px;color:#595959;";
const CELL =
  "padding:6px 0;font-size:15px;line-height:22px;vertical-align:top;border-bottom:1px solid #d9d9d9;";

/** Without images, links and styles of a head, which many mail programs drop. */
export function mailHtml(content: MailContent): string {
  const { language, subject, issuer, attached, title, mark, rows, statements, replies } = content;
  const page = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>{subject}</title>
      </head>
      <body style={`margin:0;padding:0;background:#ffffff;color:#1f1f1f;${FONT}`}>
        <div style="max-width:560px;margin:0 auto;padding:24px 20px;">
          <p style="margin:0;font-size:17px;line-height:24px;font-weight:bold;overflow-wrap:anywhere;">
            {issuer}
          </p>
          <p style="margin:16px 0 0;font-size:15px;line-height:22px;">{attached}</p>
          <h1 style="margin:24px 0 8px;font-size:17px;line-height:24px;font-weight:bold;">{title}</h1>
          {mark === undefined ? null : (
            <p style="margin:0 0 8px;font-size:15px;line-height:22px;font-weight:bold;color:#9a1c1c;">
              {mark}
            </p>
          )}
          <table style="width:100%;border-collapse:collapse;border-top:1px solid #d9d9d9;">
            <tbody>
              {rows.map(({ label, value }) => (
                <tr>
                  <th
                    scope="row"
                    style={`${CELL}padding-right:16px;text-align:left;font-weight:normal;color:#595959;`}
                  >
                    {label}
                  </th>
                  <td style={`${CELL}text-align:right;font-weight:bold;overflow-wrap:anywhere;`}>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {statements.map((statement) => (
            <p style="margin:16px 0 0;font-size:15px;line-height:22px;overflow-wrap:anywhere;">{statement}</p>
          ))}
          <p style={SMALL}>{replies}</p>
        </div>
      </body>
    </html>
  );
  return `<!DOCTYPE html>${page.toString()}`;
}
