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
    .bar input[type=range] { flex: 1; min-width: 8rem; }
    button { font: inherit; padding: .2rem .7rem; }
    .columns { display: flex; gap: 1.2rem; align-items: flex-start; }
    .lanes { flex: 3; min-width: 0; overflow-x: auto; } .state { flex: 1; min-width: 0; position: sticky; top: 4rem; }
    .state dd { overflow-wrap: anywhere; }
    @media (max-width: 50rem) { .columns { display: block; } .state { position: static; } }
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
      const told = (event) => event.action === "notes" || event.action === "finds";
      const isTold = finding.events.some((event) => event.action === "notes");
      const legend = "Each column is a thread of control; time runs downwards. Only one runs at a time. A dashed line is a place "
        + "where the schedule stopped one that could have gone on. Step with the arrow keys, the buttons or a click on a row.";
      main.append(element("p", legend, "legend"));
      const bar = element("div", undefined, "bar");
      const back = element("button", "◀ back"), on = element("button", "step ▶"), slider = element("input");
      const place = element("span"), every = element("input"), label = element("label", " every step");
      slider.type = "range"; slider.min = 0;
      slider.setAttribute("aria-label", "step");
      every.type = "checkbox"; every.checked = !isTold;
      label.prepend(every);
      bar.append(back, on, slider, place);
      if (isTold) bar.append(label);
      const columns = element("div", undefined, "columns");
      const lanes = element("div", undefined, "lanes"), state = element("div", undefined, "state");
      columns.append(lanes, state);
      main.append(bar, columns);
      // The events that have a row: all, or those that the body and the finding tell, with the time that passed before each.
      const chosen = () => {
        const kept = [];
        let time = null, isSwitch = false;
        finding.events.forEach((event, number) => {
          const isOfAll = event.lane === undefined || event.lane === null;
          isSwitch ||= event.isPreemption;
          if (every.checked) {
            kept.push({ number, event, isOfAll, isSwitch: event.isPreemption });
          } else if (isOfAll) {
            time = { number, event, isOfAll, isSwitch: false };
          } else if (told(event)) {
            if (time) kept.push(time);
            kept.push({ number, event, isOfAll, isSwitch });
            time = null; isSwitch = false;
          }
        });
        return kept;
      };
      let kept = [], rows = [], current = 0;
      const build = () => {
        kept = chosen();
        const used = finding.lanes.map((_, lane) => lane).filter((lane) => kept.some(({ event }) => event.lane === lane));
        const table = element("table"), head = element("tr"), body = element("tbody");
        head.append(element("th", "step"));
        for (const lane of used) head.append(element("th", finding.lanes[lane]));
        table.append(element("thead")); table.tHead.append(head);
        rows = kept.map(({ event, isOfAll, isSwitch }, place) => {
          const row = element("tr", undefined, isSwitch ? "switch" : "");
          row.append(element("td", event.step, "step"));
          if (isOfAll) {
            const all = element("td", "⏱ " + event.text);
            all.colSpan = used.length;
            row.append(all);
          } else {
            for (const lane of used) {
              const cell = element("td");
              if (event.lane === lane) cell.append(element("span", event.text, "cell " + event.action));
              row.append(cell);
            }
          }
          row.addEventListener("click", () => show(place));
          body.append(row);
          return row;
        });
        table.append(body);
        lanes.replaceChildren(table);
        slider.max = kept.length - 1;
      };
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
      const show = (number, scrolls = true) => {
        current = Math.max(0, Math.min(kept.length - 1, number));
        rows.forEach((row, place) => {
          row.classList.toggle("later", place > current);
          row.classList.toggle("here", place === current);
        });
        slider.value = current;
        place.textContent = (current + 1) + " of " + kept.length;
        if (scrolls) rows[current].scrollIntoView({ block: "nearest" });
        const { holds, waits } = stateAt(kept[current].number);
        const list = element("dl");
        finding.lanes.forEach((name, lane) => {
          const words = [];
          if (holds[lane].length) words.push("holds " + holds[lane].join(", "));
          if (waits[lane]) words.push("waits for " + waits[lane]);
          if (words.length) list.append(element("dt", name), element("dd", words.join("; ")));
        });
        if (!list.children.length) list.append(element("dd", "Nobody holds or waits for anything."));
        state.replaceChildren(element("h2", "Now"), list);
      };
      // The row of an event, or of the next that has one.
      const row = (number) => {
        const found = kept.findIndex((one) => one.number >= number);
        return found < 0 ? kept.length - 1 : found;
      };
      every.addEventListener("change", () => {
        const number = kept[current].number;
        build();
        show(row(number));
      });
      back.addEventListener("click", () => show(current - 1));
      on.addEventListener("click", () => show(current + 1));
      slider.addEventListener("input", () => show(Number(slider.value)));
      document.addEventListener("keydown", (event) => {
        if (event.target === slider || event.target === every) return;
        if (event.key === "ArrowRight" || event.key === "ArrowDown") { show(current + 1); event.preventDefault(); }
        if (event.key === "ArrowLeft" || event.key === "ArrowUp") { show(current - 1); event.preventDefault(); }
      });
      build();
      const asked = /^#event-(\d+)$/.exec(location.hash);
      show(asked ? row(Number(asked[1]) - 1) : kept.length - 1, asked !== null);
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
