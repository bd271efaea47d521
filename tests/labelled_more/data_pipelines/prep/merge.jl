using CSV, DataFrames, Dates, Statistics

"Gaps of up to three quarter-hours are filled, longer ones stay."
function fillgaps!(v)
    i = 1
    while i <= length(v)
        if ismissing(v[i])
            j = findnext(!ismissing, v, i)
            if j !== nothing && i > 1 && j - i <= 3
                v[i:j-1] .= range(v[i-1], v[j]; length = j - i + 2)[2:end-1]
            end
            i = something(j, length(v) + 1)
        else
            i += 1
        end
    end
    v
end

frames = [CSV.read(f, DataFrame; delim = '\t', missingstring = ["", "-999"]) for f in readdir(ARGS[1]; join = true)]
all = sort!(unique!(vcat(frames...), [:station, :t_utc]), [:station, :t_utc])
for g in groupby(all, :station), c in (:lvl_m, :turb_ntu, :ph, :temp_c)
    fillgaps!(view(g, :, c))
end
daily = combine(groupby(transform(all, :t_utc => ByRow(t -> Date(t)) => :day), [:station, :day]),
    [c => (x -> mean(skipmissing(x))) => c for c in (:lvl_m, :turb_ntu, :ph, :temp_c)])
CSV.write(ARGS[2], daily)
