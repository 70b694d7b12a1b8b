/// The page around a report's data.
enum HTMLPage {
  static let text = #"""
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>TITLE · interleave</title>
    <style>
    :root { color-scheme: light dark; --line: #8884; --soft: #8882; --mark: #d9480f; --here: #1c7ed6; }
    body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 1200px; padding: 1.2rem; }
    h1 { font-size: 1.3rem; margin: 0 0 .2rem; } h2 { font-size: 1.05rem; margin: 1.4rem 0 .5rem; }
    code, pre, td.step { font-family: ui-monospace, monospace; font-size: .85rem; }
    pre { background: var(--soft); padding: .6rem; overflow-x: auto; border-radius: 6px; }
    .finding { border-left: 4px solid var(--mark); padding: .4rem .8rem; background: var(--soft); }
    .bar { position: sticky; top: 0; background: Canvas; padding: .6rem 0; display: flex; gap: .5rem; align-items: center;
      flex-wrap: wrap; border-bottom: 1px solid var(--line); z-index: 1; }
    .bar input { flex: 1; min-width: 8rem; }
    button { font: inherit; padding: .2rem .7rem; }
    .columns { display: flex; gap: 1.2rem; align-items: flex-start; flex-wrap: wrap; }
    .lanes { flex: 3; min-width: 20rem; overflow-x: auto; } .state { flex: 1; min-width: 15rem; position: sticky; top: 4rem; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; padding: .18rem .5rem; border-left: 1px solid var(--line); vertical-align: top; }
    th { position: sticky; top: 0; } td.step, th:first-child { border-left: 0; color: GrayText; width: 3.5rem; }
    tbody tr { cursor: pointer; } tbody tr.later { opacity: .3; } tbody tr.here { outline: 2px solid var(--here); }
    tr.switch td { border-top: 2px dashed var(--mark); }
    .cell { border-radius: 4px; padding: 0 .35rem; display: inline-block; background: var(--soft); }
    .takes { background: #2f9e4433; } .gives { background: #2f9e4414; } .waits { background: #f0890033; }
    .finds { background: var(--mark); color: white; font-weight: 600; }
    dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .8rem; margin: 0; } dt { color: GrayText; } dd { margin: 0; }
    .legend { color: GrayText; font-size: .85rem; }
    </style>
    <h1 id="title"></h1>
    <div id="summary" class="legend"></div>
    <div id="main"></div>
    <script id="data" type="application/json">DATA</script>
    <script>
    const report = JSON.parse(document.getElementById("data").textContent);
    const element = (tag, text, className) => {
      const made = document.createElement(tag);
      if (text !== undefined) made.textContent = text;
      if (className) made.className = className;
      return made;
    };
    const percent = (share) => (100 * share).toPrecision(3) + " %";
    document.getElementById("title").textContent = report.body;
    document.getElementById("summary").textContent = report.summary;
    const main = document.getElementById("main");
    const finding = report.finding;
    if (finding) {
      const box = element("p", undefined, "finding");
      box.append(element("strong", finding.kind + ": "), document.createTextNode(finding.sentence));
      main.append(box);
    } else {
      main.append(element("p", "Nothing was found.", "finding"));
    }
    if (finding && finding.events.length) {
      main.append(element("h2", "How it comes to that"));
      const legend = "Each column is a thread of control; time runs downwards. Only one runs at a time. A dashed line is a place "
        + "where the schedule stopped one that could have gone on. Step with the arrow keys, the buttons or a click on a row.";
      main.append(element("p", legend, "legend"));
      const bar = element("div", undefined, "bar");
      const back = element("button", "◀ back"), on = element("button", "step ▶"), slider = element("input");
      const place = element("span");
      slider.type = "range"; slider.min = 0; slider.max = finding.events.length - 1;
      slider.setAttribute("aria-label", "step");
      bar.append(back, on, slider, place);
      const columns = element("div", undefined, "columns");
      const lanes = element("div", undefined, "lanes"), state = element("div", undefined, "state");
      const table = element("table"), head = element("tr");
      head.append(element("th", "step"));
      for (const name of finding.lanes) head.append(element("th", name));
      table.append(element("thead")); table.tHead.append(head);
      const body = element("tbody");
      const rows = finding.events.map((event, number) => {
        const row = element("tr", undefined, event.isPreemption ? "switch" : "");
        row.append(element("td", event.step, "step"));
        for (let lane = 0; lane < finding.lanes.length; lane++) {
          const cell = element("td");
          if (event.lane === lane) cell.append(element("span", event.text, "cell " + event.action));
          row.append(cell);
        }
        if (event.lane === undefined || event.lane === null) {
          row.replaceChildren(element("td", event.step, "step"));
          const all = element("td", "⏱ " + event.text);
          all.colSpan = finding.lanes.length;
          row.append(all);
        }
        row.addEventListener("click", () => show(number));
        body.append(row);
        return row;
      });
      table.append(body); lanes.append(table); columns.append(lanes, state);
      main.append(bar, columns);
      // Who holds and who waits for what, after each event.
      const stateAt = (number) => {
        const holds = finding.lanes.map(() => []), waits = finding.lanes.map(() => null);
        for (const event of finding.events.slice(0, number + 1)) {
          if (event.lane === undefined || event.lane === null) continue;
          if (event.action !== "finds") waits[event.lane] = null;
          if (event.action === "takes") holds[event.lane].push(event.object);
          if (event.action === "gives") holds[event.lane] = holds[event.lane].filter((held) => held !== event.object);
          if (event.action === "waits") waits[event.lane] = event.object;
        }
        return { holds, waits };
      };
      let current = 0;
      const show = (number) => {
        current = Math.max(0, Math.min(finding.events.length - 1, number));
        rows.forEach((row, place) => {
          row.classList.toggle("later", place > current);
          row.classList.toggle("here", place === current);
        });
        slider.value = current;
        place.textContent = (current + 1) + " of " + finding.events.length;
        rows[current].scrollIntoView({ block: "nearest" });
        const { holds, waits } = stateAt(current);
        const list = element("dl");
        finding.lanes.forEach((name, lane) => {
          const words = [];
          if (holds[lane].length) words.push("holds " + holds[lane].join(", "));
          if (waits[lane]) words.push("waits for " + waits[lane]);
          list.append(element("dt", name), element("dd", words.join("; ") || "–"));
        });
        state.replaceChildren(element("h2", "Now"), list);
      };
      back.addEventListener("click", () => show(current - 1));
      on.addEventListener("click", () => show(current + 1));
      slider.addEventListener("input", () => show(Number(slider.value)));
      document.addEventListener("keydown", (event) => {
        if (event.target === slider) return;
        if (event.key === "ArrowRight" || event.key === "ArrowDown") { show(current + 1); event.preventDefault(); }
        if (event.key === "ArrowLeft" || event.key === "ArrowUp") { show(current - 1); event.preventDefault(); }
      });
      const asked = /^#event-(\d+)$/.exec(location.hash);
      show(asked ? Number(asked[1]) - 1 : finding.events.length - 1);
    }
    if (finding) {
      main.append(element("h2", "To see it again"));
      main.append(element("pre", finding.replay));
      if (finding.stacks.length) {
        main.append(element("h2", "Where each was"));
        for (const stack of finding.stacks) main.append(element("pre", stack));
      }
    }
    main.append(element("h2", "What was looked at"));
    const facts = element("dl");
    const fact = (name, value) => { facts.append(element("dt", name), element("dd", value)); };
    fact("executions", report.executions.toLocaleString());
    fact("steps", report.steps.toLocaleString());
    fact("strategy", report.strategy + (finding ? ", found by " + finding.strategy : ""));
    if (report.completeness) fact("search", report.completeness);
    if (finding && finding.choicesAfter !== undefined && finding.choicesAfter !== null)
      fact("made small", finding.choicesBefore + " choices became " + finding.choicesAfter + ", with "
        + finding.preemptions + " preemptions");
    fact("distinct schedules", report.distinctSchedules.toLocaleString());
    fact("chance that one more is new", percent(report.unseen));
    report.missBounds.forEach((bound, place) => {
      if (bound < 1) fact("chance that a bug of depth " + (place + 1) + " was missed", "at most " + percent(bound));
    });
    for (const [name, count] of Object.entries(report.marks)) fact("mark '" + name + "'", count.toLocaleString());
    fact("contexts", report.substrate);
    fact("seconds", report.seconds.toFixed(2));
    main.append(facts);
    </script>
    </html>

    """#
}
